import type { I18n } from '../locales/i18n.js';
import type { WordOf } from '../locales/message-keys.js';
import {
  CMX_MUNICIPALITIES,
  CONTACT_FIELDS,
  type ContactFieldName,
  firstDayOf,
  postalRangeOf,
  STATE_CODES,
} from '../shop/rules/contact.js';
import type { ChoiceField } from '../shop/rules/fees.js';
import { cardCheckOf, type FieldProblem, type FormField, readField } from '../shop/rules/form-field.js';
import { emailQuestion } from './email-question.js';
import type { FieldError } from './field-error.js';
import type { FieldModel } from './field-model.js';
import type { Field } from './form.js';

/** Fields of all forms that show an error at the field. */
type FieldName = Exclude<WordOf<'fields'>, 'quantity'>;

/** Posted values and their validation problems. */
export interface TypedForm {
  readonly values: Readonly<Partial<Record<FieldName | ChoiceField, string>>>;
  readonly problems: Readonly<Partial<Record<FieldName, FieldProblem>>>;
}

/** These fields have a line of their own on a wide screen. Two of the others share a line. */
const FULL_WIDTH: readonly ContactFieldName[] = ['email', 'street', 'delivery_notes'];

/** The fields of a form, by name. */
type FormFields = Readonly<Partial<Record<FieldName, FormField>>>;

/** Builds the models of contact fields with the posted values. `now`: see `readContact`. */
export function contactFields(i18n: I18n, typed: TypedForm, names: readonly ContactFieldName[], now?: number) {
  const { t } = i18n;
  const hints: Partial<Record<ContactFieldName, string>> = {
    email: t('checkout.emailHint'),
    delivery_notes: t('checkout.deliveryNotesHint'),
  };
  const states = STATE_CODES.map((code) => ({
    value: code,
    label: t(`mexicanStates.${code}`),
    postal: postalRangeOf(code).join(' '),
    municipalities: code === 'CMX' ? CMX_MUNICIPALITIES.join('|') : undefined,
  }));
  const isFormer = typed.problems.email === 'formerEmail';
  return names.map((name) => ({
    ...fieldView(i18n, typed, name, CONTACT_FIELDS[name]),
    hint: hints[name],
    min: firstDayOf(CONTACT_FIELDS[name], now),
    question: name === 'email' ? emailQuestion(typed.values.email ?? '', isFormer) : undefined,
    /** Whether the field has a line of its own on a wide screen. */
    isWide: FULL_WIDTH.includes(name),
    ...(name === 'state' && { kind: 'list', options: states, choose: t('fields.state.choose') }),
  })) satisfies readonly FieldModel[];
}

/** A field of the checkout in another form, with its rule and texts. */
export function contactField(name: ContactFieldName, mayBeEmpty = false): Field<string> {
  const contact: FormField = CONTACT_FIELDS[name];
  const field: FormField = { ...contact, isOptional: mayBeEmpty || contact.isOptional };
  return {
    kind: kindOf(field),
    label: `fields.${name}.label`,
    parse(typed) {
      const reading = readField(typed, field);
      return 'value' in reading ? reading.value : undefined;
    },
    problem(t, typed) {
      const reading = readField(typed, field);
      return 'problem' in reading ? problemText({ t }, name, reading.problem) : '';
    },
  };
}

function kindOf({ inputMode, type }: FormField) {
  if (type) return type;
  return inputMode === 'email' || inputMode === 'tel' ? inputMode : 'text';
}

/** Builds the parts of a field's model that all forms share. */
export function fieldView(i18n: I18n, typed: TypedForm, name: Exclude<FieldName, 'shipping_option'>, field: FormField) {
  const { t } = i18n;
  const { autocomplete = 'off', inputMode, maxLength, minDaysAhead, isOptional = false, parse } = field;
  const refused = minDaysAhead !== undefined ? 'tooEarly' : inputMode === 'email' ? 'invalid' : undefined;
  const value = typed.values[name] ?? '';
  const label = t(`fields.${name}.label`);
  return {
    name,
    label: isOptional ? t('form.optional', { label }) : label,
    kind: kindOf(field),
    autocomplete,
    inputMode,
    maxLength,
    isRequired: !isOptional,
    /** Shown by scripts for a missing value, and for one that the browser finds invalid. */
    data: {
      required: t(`fields.${name}.required`),
      ...(refused && { invalid: problemText(i18n, name, refused, { [name]: field }) }),
    },
    // A possible card number must not appear in any response.
    value: cardCheckOf(field)(parse?.(value) ?? value) ? '' : value,
    error: messageFor(i18n, typed, name, { [name]: field }),
  };
}

/** Returns the error messages of the form. Each links to its field. */
export function fieldErrors(
  i18n: I18n,
  typed: TypedForm,
  names: readonly FieldName[],
  fields: FormFields = CONTACT_FIELDS,
): FieldError[] {
  return names.flatMap((field) => {
    const message = messageFor(i18n, typed, field, fields);
    return message === undefined ? [] : [{ field, message }];
  });
}

/** Returns the error message of a field, or `undefined`. */
export function messageFor(
  i18n: I18n,
  typed: TypedForm,
  field: FieldName,
  fields: FormFields = CONTACT_FIELDS,
): string | undefined {
  const problem = typed.problems[field];
  return problem && problemText(i18n, field, problem, fields);
}

/** Returns the error message of a problem at a field. */
function problemText(
  { t }: Pick<I18n, 't'>,
  field: FieldName,
  problem: FieldProblem,
  fields: FormFields = CONTACT_FIELDS,
): string {
  if (problem === 'required' || problem === 'invalid') return t(`fields.${field}.${problem}`);
  const { [field]: rule } = fields;
  const limits = { limit: rule?.maxLength ?? '', count: rule?.minDaysAhead ?? 0 };
  return t(`form.${problem}`, { label: t(`fields.${field}.label`), ...limits });
}
