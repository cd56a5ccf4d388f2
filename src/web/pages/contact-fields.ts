import { holdsCardNumber } from '../../domain/card-data.js';
import { CONTACT_FIELDS, type ContactFieldName, type ContactProblem } from '../../domain/contact.js';
import type { ShipmentField } from '../../domain/fulfillment.js';
import type { InvoiceFieldName } from '../../domain/invoice.js';
import { STATE_CODES } from '../../domain/mexican-states.js';
import type { ContactFieldView, FieldErrorView, OptionView } from '../view-models.js';
import type { I18n } from './shop-pages.js';

/** Fields of the checkout form: the contact fields and the shipping option. */
export type CheckoutFieldName = ContactFieldName | 'shipping_option';

/** Posted values and their validation problems. */
export interface TypedContact {
  readonly values: Readonly<Partial<Record<CheckoutFieldName, string>>>;
  readonly problems: Readonly<Partial<Record<CheckoutFieldName, ContactProblem>>>;
}

/** These fields have a line of their own on a wide screen. Two of the others share a line. */
const FULL_WIDTH: readonly ContactFieldName[] = ['email', 'street', 'delivery_notes'];

/** Builds the models of contact fields with the posted values. */
export function contactFields(
  i18n: I18n,
  typed: TypedContact,
  names: readonly ContactFieldName[],
): readonly ContactFieldView[] {
  return names.map((name) => fieldView(i18n, typed, name));
}

/** Returns the error messages of the form. Each links to its field. */
export function fieldErrors(
  i18n: I18n,
  typed: TypedContact,
  names: readonly CheckoutFieldName[],
): readonly FieldErrorView[] {
  return names.flatMap((field) => {
    const message = messageFor(i18n, typed, field);
    return message === undefined ? [] : [{ field, message }];
  });
}

/** Returns the error message of a field, or `undefined`. */
export function messageFor(i18n: I18n, typed: TypedContact, field: CheckoutFieldName): string | undefined {
  const problem = typed.problems[field];
  return problem && problemText(i18n, field, problem);
}

/** Returns the error message of a problem at a field. */
export function problemText(
  { t }: I18n,
  field: CheckoutFieldName | ShipmentField | InvoiceFieldName,
  problem: ContactProblem,
): string {
  if (problem === 'cardData') return t('form.cardData');
  if (problem === 'otherState') return t('fields.postal_code.otherState');
  return t(`fields.${field}.${problem}`);
}

function fieldView(i18n: I18n, typed: TypedContact, name: ContactFieldName): ContactFieldView {
  const { t } = i18n;
  const { type, autocomplete, maxLength, ...field } = CONTACT_FIELDS[name];
  const value = typed.values[name] ?? '';
  return {
    name,
    label: t(`fields.${name}.label`),
    hint: hintFor(i18n, name),
    type,
    autocomplete,
    inputMode: 'inputMode' in field ? field.inputMode : undefined,
    maxLength,
    isRequired: !('isOptional' in field),
    isWide: FULL_WIDTH.includes(name),
    scriptError: t(type === 'email' ? `fields.${name}.invalid` : `fields.${name}.required`),
    // A possible card number must not appear in any response.
    value: holdsCardNumber(value) ? '' : value,
    error: messageFor(i18n, typed, name),
    options: type === 'state' ? stateOptions(i18n, value) : [],
    choose: t('fields.state.choose'),
  };
}

function hintFor({ t }: I18n, name: ContactFieldName): string | undefined {
  if (name === 'email') return t('checkout.emailHint');
  return name === 'delivery_notes' ? t('checkout.deliveryNotesHint') : undefined;
}

function stateOptions({ t }: I18n, chosen: string): readonly OptionView[] {
  return STATE_CODES.map((value) => ({
    value,
    label: t(`mexicanStates.${value}`),
    selected: value === chosen,
  }));
}
