import type { FormField } from './form-field.js';

/**
 * Fields of your own that the checkout asks for each order, by name: `{ gift_message: { column: 'giftMessage', maxLength: 200 } }`. An upgrade of the
 * program never changes this file.
 */
export const OWN_FIELDS = {} as const satisfies Readonly<Record<string, FormField>>;
