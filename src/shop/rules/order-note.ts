/** The internal note of an order, which the customer never sees. Pure. */
import { readField } from './form-field.js';

/** In characters. */
export const NOTE_LIMIT = 500;

/** Parses a typed note as one line. It may be empty. */
export function readNote(typed: string) {
  return readField(typed.replace(/\s+/g, ' '), { column: 'note', maxLength: NOTE_LIMIT, isOptional: true });
}
