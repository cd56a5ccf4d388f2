/** The values of settings as pages show them. */
import { type Brand, brand } from '../../locales/brand.js';
import type { I18n } from '../../locales/i18n.js';
import type { LabelContext } from '../../settings/shop-setting.js';
import type { Locale } from '../../shop/rules/locale.js';
import { pictureHashOf } from '../../shop/rules/picture.js';
import type { RequestContext } from '../../web/request-context.js';
import { groupsOf } from './groups.js';
import type { Setting } from './setting.js';

const MAX_SHOWN_LENGTH = 200;

/** Returns the present value of a setting, as its field shows it. A switch that is on is `yes`. */
export function shownValue(context: RequestContext, { name }: Setting): string {
  if (name === 'brand.color') return context.brandColor.toLowerCase();
  const config = { ...context.configDefaults, ...context.configChanges };
  const value = ofFeature(context, name)?.valueOf(config) ?? memberOf(context.brand, name);
  if (typeof value === 'boolean') return value ? 'yes' : '';
  return value === 0 ? '' : String(value);
}

function ofFeature({ shopSettings }: RequestContext, name: string) {
  return shopSettings.find((each) => each.name === name);
}

/** Returns what a setting is without a stored value. */
export function defaultOf(context: RequestContext, setting: Setting): unknown {
  const isFileColor = setting.kind === 'color' && !context.storedSettings.has(setting.name);
  if (isFileColor) return shownValue(context, setting);
  return ofFeature(context, setting.name)?.valueOf(context.configDefaults) ?? memberOf(brand, setting.name);
}

/** Returns the text of the brand file, if it is in use no more. */
export function formerText({ storedSettings }: RequestContext, { name }: Setting): string | undefined {
  return storedSettings.has(name) ? memberOf(brand, name) || undefined : undefined;
}

/** Returns a value of the history as text. */
export function valueText({ t }: I18n, value: unknown): string {
  if (value === null) return t('shopSettings.values.default');
  if (value === '') return t('shopSettings.values.empty');
  if (typeof value === 'boolean') return t(value ? 'shopSettings.values.on' : 'shopSettings.values.off');
  if (typeof value === 'object') return t('shopSettings.values.stored');
  const text = String(value);
  const hash = pictureHashOf(text);
  if (hash !== undefined) return t('shopSettings.values.picture', { hash: hash.slice(-8) });
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** A setting of a removed feature has its name. */
export function labelOf(context: RequestContext, name: string): string {
  const setting = groupsOf(context)
    .flatMap(({ settings }) => settings)
    .find((each) => each.name === name);
  const language = setting?.locale && languageName(context, setting.locale);
  const own = context.ownSettings.find((each) => each.names(context).includes(name));
  const label = setting?.label(context.t) ?? own?.label(context.t, name, context) ?? name;
  return language ? `${label} (${language})` : label;
}

/** With one locale its fields need no name. */
export function languageName(
  { config, locale: own }: Omit<LabelContext, 'contentIn'>,
  locale: Locale,
): string | undefined {
  if (config.locales.length === 1) return undefined;
  return new Intl.DisplayNames(own, { type: 'language' }).of(locale) ?? locale;
}

/** `brand.merchant.phone` is the member `merchant.phone`. Empty if the brand has none. */
function memberOf(shown: Brand, name: string): string {
  const path = name.split('.').slice(1);
  const value = path.reduce<unknown>((object, key) => (object as Record<string, unknown> | undefined)?.[key], shown);
  return typeof value === 'string' ? value : '';
}
