import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { contentDirectory } from '../content/content-directory.js';
import { type ContentIn, loadContentPages, parseStoredTexts } from '../content/content-pages.js';
import { contentValues } from '../content/content-values.js';
import type { Brand } from '../locales/brand.js';
import { brandWith } from '../locales/brand-settings.js';
import { i18nIn } from '../locales/i18n.js';
import { loadTranslations, type Translations } from '../locales/translations.js';
import { projectRoot } from '../project-root.js';
import type { CheckoutSettings } from '../shop/checkout-context.js';
import { readShippingTable } from '../shop/read-shipping-table.js';
import { DEFAULT_TABLE } from '../shop/rules/default-table.js';
import type { EventLog } from '../shop/rules/event-log.js';
import type { Locale } from '../shop/rules/locale.js';
import { readClosing, type StoredSettings } from '../shop/rules/shop-settings.js';
import { configChangesOf, type OwnSettings, type ShopSetting } from './shop-setting.js';

/** The settings of the shop, applied to its files. */
export interface CurrentShop extends CheckoutSettings {
  /** What the merchant may change of the configuration. */
  readonly shopSettings: readonly ShopSetting[];
  readonly ownSettings: readonly OwnSettings[];
  readonly brand: Brand;
  /** The main color of the shop, as `#RRGGBB`. */
  readonly brandColor: string;
  readonly translations: Translations;
  /** The pages of `content/`. */
  readonly contentIn: ContentIn;
}

interface ShopFiles {
  readonly log: EventLog;
  readonly config: Config;
  readonly features: readonly {
    readonly shopSettings?: readonly ShopSetting[];
    readonly ownSettings?: OwnSettings;
  }[];
  assetUrl(path: string): string;
}

/** Returns how the settings of the shop are applied to its configuration and files: brand, messages, stylesheet and pages. */
export function currentShopOf({ log, config, features, assetUrl }: ShopFiles) {
  const shopSettings = features.flatMap((feature) => feature.shopSettings ?? []);
  const ownSettings = features.flatMap((feature) => feature.ownSettings ?? []);
  const fileColor = readBrandColor(join(projectRoot, 'public'));
  return async (version: number, stored: StoredSettings): Promise<CurrentShop> => {
    const brand = brandWith(stored);
    const table = readShippingTable(stored);
    if (!table) log.error('settings.value_ignored', { reason: 'shipping' });
    const shipping = table ?? DEFAULT_TABLE;
    const translations = loadTranslations(brand);
    const valuesIn = (locale: Locale) => contentValues({ brand, shipping }, i18nIn(translations, locale));
    const parts = { valuesIn, assetUrl, stored };
    await parseStoredTexts(parts, config.locales);
    return {
      settingsVersion: version,
      storedSettings: stored,
      closing: readClosing(stored),
      shipping,
      shopSettings,
      ownSettings,
      configDefaults: config,
      configChanges: configChangesOf(config, shopSettings, stored),
      brand,
      brandColor: brand.color || fileColor,
      translations,
      contentIn: loadContentPages(contentDirectory, config.locales, parts),
    };
  };
}

/** Returns the main color of the shop as `#RRGGBB`. Throws if the stylesheet does not define it. */
function readBrandColor(publicDirectory: string): string {
  const color = /--brand:\s*(#[0-9a-f]{6});/i.exec(readFileSync(join(publicDirectory, 'shop.css'), 'utf8'))?.[1];
  if (color === undefined) throw new Error('public/shop.css must define --brand as #RRGGBB');
  return color;
}
