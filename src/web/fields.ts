/** The kinds of fields that forms declare. */
import { type FormField, readField } from '../shop/rules/form-field.js';
import { isDay } from '../shop/rules/mexico-day.js';
import type { Field, FieldText, Reading } from './form.js';

type Shown = Omit<Field<unknown>, 'parse'>;

interface TextField extends Shown {
  /** In characters. */
  readonly limit: number;
  readonly isOptional?: boolean | ((reading: Reading) => boolean);
  /** The rule of the text. Default: it has a letter or a digit. */
  readonly rule?: FormField['parse'];
}

/** A text, stored as one line. Its problem is that it is empty, too long or against its rule. An optional one may be ''. */
export function text({ limit, isOptional = false, rule, ...shown }: TextField): Field<string> {
  const inputMode = shown.kind === 'tel' ? 'tel' : undefined;
  const field: FormField = { column: '', maxLength: limit, inputMode, parse: rule };
  return {
    ...shown,
    parse(typed, form) {
      const mayBeEmpty = typeof isOptional === 'function' ? isOptional(form) : isOptional;
      const reading = readField(typed.replace(/\s+/g, ' '), { ...field, isOptional: mayBeEmpty });
      return 'value' in reading ? reading.value : undefined;
    },
  };
}

/** One of some words, as radio buttons or as a list. */
export function choice<Word extends string>(
  words: readonly Word[],
  labelOf: (word: Word) => FieldText,
  shown: Omit<Shown, 'kind' | 'options'> & { readonly kind: 'radios' | 'list' },
): Field<Word> {
  return {
    ...shown,
    options: words.map((word) => ({ value: word, label: labelOf(word) })),
    parse: (typed) => words.find((word) => word === typed),
  };
}

/** A day, from `min` to `max`. */
export function day(shown: Omit<Shown, 'kind'>): Field<string> {
  const { min = '', max = '9999' } = shown;
  return {
    ...shown,
    kind: 'date',
    parse: (typed) => (isDay(typed) && typed >= min && typed <= max ? typed : undefined),
  };
}

/** A field that may be empty. Its value is null then. A text has `isOptional` instead. */
export function optional<Value>(field: Field<Value>): Field<Value | null> {
  return { ...field, parse: (typed, reading) => (typed === '' ? null : field.parse(typed, reading)) };
}

/** A checkbox, which is on if it posts `yes`. */
export function checkbox(label: FieldText, hint?: FieldText): Field<boolean> {
  return { kind: 'checkbox', label, hint, parse: (typed) => typed === 'yes' };
}
