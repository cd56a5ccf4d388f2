/** The groups of settings. Each is a form of its own. */
import type { Translate } from '../../locales/translations.js';
import type { CurrentShop } from '../../settings/current-shop.js';
import type { ShopSetting } from '../../settings/shop-setting.js';
import type { Locale } from '../../shop/rules/locale.js';
import { LOCALES } from '../../shop/rules/locales.js';
import type { Setting, TextSetting } from './setting.js';

export interface SettingsGroup {
  readonly id: 'brand' | 'contact' | 'start' | 'sales';
  readonly settings: readonly Setting[];
}

type Labels = keyof typeof LIMITS;

/** Of the texts, in characters. */
const LIMITS = {
  name: 60,
  legalName: 120,
  rfc: 13,
  address: 200,
  hours: 120,
  announcement: 160,
  title: 80,
  heading: 120,
  intro: 600,
  list: 60,
  tagline: 160,
  searchHint: 60,
  productNote: 300,
} as const;

const labelOf = (name: Labels | 'color' | 'logo' | 'heroImage' | 'phone' | 'email' | 'whatsapp' | Social) => ({
  label: (t: Translate) => t(`shopSettings.labels.${name}`),
});

type Social = 'instagram' | 'facebook' | 'tiktok';

function text(path: string, name: Labels, further: Partial<TextSetting> = {}): TextSetting {
  return { name: `brand.${path}${name}`, kind: 'text', limit: LIMITS[name], ...labelOf(name), ...further };
}

/** A text in each locale of the shop. */
function texts(name: Exclude<Labels, 'name' | 'legalName' | 'rfc' | 'address'>, further: Partial<TextSetting> = {}) {
  return LOCALES.map((locale) => text(`texts.${locale}.`, name, { ...further, locale }));
}

const link = (name: Social): TextSetting => ({
  name: `brand.social.${name}`,
  kind: 'link',
  limit: 200,
  hint: (t) => t('shopSettings.hints.link'),
  ...labelOf(name),
});

const REQUIRED = { isRequired: true } as const;

const BRAND_GROUPS: readonly SettingsGroup[] = [
  {
    id: 'brand',
    settings: [
      text('', 'name', REQUIRED),
      { name: 'brand.color', kind: 'color', limit: 7, ...REQUIRED, ...labelOf('color') },
      { name: 'brand.logo', kind: 'picture', ...labelOf('logo') },
    ],
  },
  {
    id: 'contact',
    settings: [
      text('merchant.', 'legalName', REQUIRED),
      text('merchant.', 'rfc'),
      text('merchant.', 'address', REQUIRED),
      { name: 'brand.merchant.phone', kind: 'phone', limit: 20, ...REQUIRED, ...labelOf('phone') },
      { name: 'brand.merchant.email', kind: 'email', limit: 254, ...REQUIRED, ...labelOf('email') },
      ...texts('hours'),
      {
        name: 'brand.whatsapp',
        kind: 'phone',
        limit: 20,
        ...labelOf('whatsapp'),
        hint: (t) => t('shopSettings.hints.whatsapp'),
      },
      ...(['instagram', 'facebook', 'tiktok'] as const).map(link),
    ],
  },
  {
    id: 'start',
    settings: [
      { name: 'brand.heroImage', kind: 'picture', ...labelOf('heroImage') },
      ...texts('announcement', { hint: (t) => t('shopSettings.hints.announcement') }),
      ...texts('title', { ...REQUIRED, hint: (t) => t('shopSettings.hints.title') }),
      ...texts('heading', REQUIRED),
      ...texts('intro', { kind: 'multiline' }),
      ...texts('list', REQUIRED),
      ...texts('tagline', { ...REQUIRED, hint: (t) => t('shopSettings.hints.tagline') }),
      ...texts('searchHint', REQUIRED),
      ...texts('productNote', { kind: 'multiline' }),
    ],
  },
];

/** The names of the settings that are texts. */
export const TEXT_NAMES = BRAND_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name));

/** Returns the groups in the order of the page. */
export function groupsOf(shop: Pick<CurrentShop, 'shopSettings' | 'configDefaults'>): readonly SettingsGroup[] {
  const sales = shop.shopSettings.map((each) => settingOf(each, shop.configDefaults));
  return sales.length === 0 ? BRAND_GROUPS : [...BRAND_GROUPS, { id: 'sales', settings: sales }];
}

/** Returns a setting of a feature. */
function settingOf(setting: ShopSetting, config: CurrentShop['configDefaults']): Setting {
  const { name, label, hint } = setting;
  const named = { name, label, ...(hint && { hint: (t: Translate) => hint(t, config) }) };
  return setting.kind === 'switch'
    ? { ...named, kind: 'switch' }
    : { ...named, kind: 'number', ...setting.limitsOf(config) };
}

/** Returns the settings of a group in the locales that the shop offers. */
export function settingsOf({ settings }: SettingsGroup, locales: readonly Locale[]): readonly Setting[] {
  return settings.filter(({ locale }) => locale === undefined || locales.includes(locale));
}
