import type { ContentIn } from '../content/content-pages.js';
import type { Translate } from '../locales/translations.js';
import type { ShopParts } from '../shop/checkout-context.js';
import type { Locale } from '../shop/rules/locale.js';
import type { StoredSettings } from '../shop/rules/shop-settings.js';

type ShopConfig = ShopParts['config'];

/** What the merchant changes about a feature in the back office. Its default is that of the settings in `.env`. */
export type ShopSetting = {
  /** Such as `reminders.hours`. */
  readonly name: string;
  label(t: Translate): string;
  hint?(t: Translate, config: ShopConfig): string;
} & (
  | {
      readonly kind: 'switch';
      valueOf(config: ShopConfig): boolean;
      toConfig(value: boolean): Partial<ShopConfig>;
    }
  | {
      readonly kind: 'number';
      /** A whole number. 0, which the form shows as an empty field, is none. */
      limitsOf(config: ShopConfig): { readonly min: number; readonly max: number; readonly mayBeNone?: true };
      valueOf(config: ShopConfig): number;
      toConfig(value: number): Partial<ShopConfig>;
    }
);

/** Returns what the stored values change. A value that its setting does not accept changes nothing. */
export function configChangesOf(
  config: ShopConfig,
  settings: readonly ShopSetting[],
  stored: StoredSettings,
): Partial<ShopConfig> {
  const changes = settings.map((setting) => {
    const value = stored.get(setting.name);
    if (setting.kind === 'switch') return typeof value === 'boolean' ? setting.toConfig(value) : {};
    const { min, max, mayBeNone } = setting.limitsOf(config);
    const isAccepted = (number: number) => (number >= min && number <= max) || (number === 0 && mayBeNone);
    return typeof value === 'number' && Number.isInteger(value) && isAccepted(value) ? setting.toConfig(value) : {};
  });
  return Object.assign({}, ...changes) as Partial<ShopConfig>;
}

/** What the label of a setting may name: a page, and its locale in that of the request. */
export interface LabelContext {
  readonly contentIn: ContentIn;
  readonly locale: Locale;
  readonly config: { readonly locales: readonly [Locale, ...Locale[]] };
}

/** Settings that a feature changes in forms of its own, such as a table. */
export interface OwnSettings {
  /** Returns all names. */
  names(shop: Omit<LabelContext, 'locale'>): readonly string[];
  label(t: Translate, name: string, shown: LabelContext): string;
  /** Whether its forms could have stored this value of a file. */
  accepts(value: unknown): boolean;
}
