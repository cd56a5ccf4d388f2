/** What a merchant may change, and how a typed or imported value is read. */

import { parseUrl } from '@tianguis/payments/rules';
import type { Translate } from '../../locales/translations.js';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { type FormField, parseText, readField } from '../../shop/rules/form-field.js';
import type { Locale } from '../../shop/rules/locale.js';
import { pictureHashOf } from '../../shop/rules/picture.js';

interface Named {
  /** Also the name of its field. */
  readonly name: string;
  label(t: Translate): string;
  hint?(t: Translate): string;
  /** The locale of a text that each locale has. */
  readonly locale?: Locale;
}

/** A text. An empty one is the default if the text is required. */
export interface TextSetting extends Named {
  readonly kind: 'text' | 'multiline' | 'email' | 'phone' | 'link' | 'color';
  /** In characters. */
  readonly limit: number;
  readonly isRequired?: true;
}

/** A whole number. An empty field is none, which is 0, or the default. */
export interface NumberSetting extends Named {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  readonly mayBeNone?: true | undefined;
}

export type Setting = TextSetting | NumberSetting | (Named & { readonly kind: 'picture' | 'switch' });

/** `type`: a value of a file is of another type. */
export type SettingProblem = TextSetting['kind'] | 'card' | 'long' | 'number' | 'type';

/** `null`: the default. */
export type SettingReading =
  | { readonly value: string | number | boolean | null }
  | { readonly problem: SettingProblem };

/** Reads a posted text, a switch, or a value of a file. */
export function readSetting(setting: Setting, raw: unknown): SettingReading {
  if (raw === null) return { value: null };
  switch (setting.kind) {
    case 'switch':
      return typeof raw === 'boolean' ? { value: raw } : { problem: 'type' };
    case 'picture':
      return typeof raw === 'string' && pictureHashOf(raw) !== undefined ? { value: raw } : { problem: 'type' };
    case 'number':
      return readNumber(setting, raw);
    default:
      return typeof raw === 'string' ? readTextSetting(setting, raw) : { problem: 'type' };
  }
}

function readNumber({ min, max, mayBeNone }: NumberSetting, raw: unknown): SettingReading {
  if (typeof raw !== 'string' && typeof raw !== 'number') return { problem: 'type' };
  const text = String(raw).trim();
  if (text === '' || (text === '0' && mayBeNone)) return { value: mayBeNone ? 0 : null };
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? { value: number } : { problem: 'number' };
}

function readTextSetting({ kind, limit, isRequired }: TextSetting, raw: string): SettingReading {
  const inputMode = kind === 'phone' ? 'tel' : undefined;
  const field: FormField = { column: kind, maxLength: limit, isOptional: true, inputMode, parse: PARSE[kind] };
  const result = readField(kind === 'multiline' ? raw.replace(/\s+/g, ' ') : raw, field);
  if ('value' in result) return { value: isRequired && result.value === '' ? null : result.value };
  if (result.problem === 'cardData') return { problem: 'card' };
  return { problem: result.problem === 'tooLong' ? 'long' : kind };
}

const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);

/** How a text of each kind is read. `multiline` is a long text in one paragraph. */
const PARSE = {
  text: parseText,
  multiline: parseText,
  email: CONTACT_FIELDS.email.parse,
  phone: (text: string) => matching(/^\+?\d(?:[ -]?\d){9,14}$/)(text.replace(/[().]/g, '')),
  link: (text: string) => parseUrl(text) && matching(/^https:\/\/\S+$/)(text),
  color: (text: string) => matching(/^#[\da-f]{6}$/)(text.toLowerCase()),
} as const;
