/** Fields of the forms about users, as `views/partials/fields.ejs` shows them. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../shop/rules/admin-user.js';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly value?: string;
  readonly error?: string | undefined;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  readonly inputMode?: 'numeric';
  /** Not empty: the field is a list. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly choose?: string;
}

/** Limits of passwords, for messages. */
export const PASSWORD_LIMITS = { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH } as const;

/** Builds the model of a field. A password is never sent back. */
export function formField({ type = 'text', maxLength = MAX_PASSWORD_LENGTH, value = '', ...field }: Field) {
  return {
    autocomplete: 'off',
    isRequired: true,
    hint: undefined,
    choose: '',
    inputMode: undefined,
    error: undefined,
    ...field,
    kind: field.options ? 'list' : type,
    maxLength,
    value: type === 'password' ? '' : value.slice(0, maxLength),
    isWide: false,
    data: { required: field.error ?? field.label },
    optionsLang: undefined,
  };
}

/** Returns the errors of the fields, for the top of the form. */
export function errorsOf(fields: readonly ReturnType<typeof formField>[]) {
  return fields.flatMap(({ name, error }) => (error === undefined ? [] : [{ field: name, message: error }]));
}
