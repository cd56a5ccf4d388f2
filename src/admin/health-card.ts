import type { I18n } from '../locales/i18n.js';
import type { Tone } from '../web/tone.js';

/** A figure of the overview. */
export interface HealthCard {
  readonly title: string;
  readonly figure: string;
  readonly tone: Tone;
  readonly lines: readonly string[];
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** Returns a count as text. The caller counted up to `max`. */
export function figureOf({ t }: I18n, count: number, max: number): string {
  return count < max ? String(count) : t('admin.many', { max });
}
