import type { Config, Secrets } from '../config/config.js';
import type { Translate } from '../locales/translations.js';
import type { SendMail } from '../mail/mails.js';
import type { CurrentShop } from '../settings/current-shop.js';
import type { CheckoutContext } from '../shop/checkout-context.js';
import type { SettingsSource } from '../shop/settings-source.js';
import type { Db } from '../tables/database.js';
import type { FlowPages } from './flow-pages.js';
import type { Services } from './services.js';
import type { AssetUrl } from './static-files.js';

/** A link of the back office. Only roles that may open it see it. */
export interface AdminLink {
  readonly href: string;
  label(t: Translate): string;
  /** In the navigation of each page, above the list of orders or products, on the page of the settings of the shop, or of the own account. */
  readonly on: 'navigation' | 'orders' | 'products' | 'shop' | 'account';
}

/** A link of the footer to a page of the shop. */
export interface FootLink {
  readonly href: string;
  label(t: Translate): string;
}

/** Dependencies of routes and middleware. */
export interface WebContext extends Omit<Services, 'createObserver'> {
  readonly checkout: CheckoutContext;
  /** The payment flows that the checkout offers. */
  readonly flows: readonly FlowPages[];
  readonly config: Pick<
    Config,
    | 'environment'
    | 'hstsIncludeSubdomains'
    | 'locales'
    | 'payments'
    | 'production'
    | 'publicUrl'
    | 'rateLimit'
    | 'trustProxy'
  >;
  /** Development has a generated session secret. */
  readonly secrets: Pick<Secrets, 'features' | 'webhookAuth'> & {
    readonly sessionSecrets: NonNullable<Secrets['sessionSecrets']>;
  };
  readonly viewsDirectory: string;
  /** The features, each with `views/` and `public/` if it has such files. */
  readonly featuresDirectory: string;
  readonly publicDirectory: string;
  readonly settings: SettingsSource<CurrentShop>;
  readonly sendMail: SendMail;
  readonly assetUrl: AssetUrl;
  /** What each feature adds to pages. `fillSlot` has its type. */
  readonly slots: readonly object[];
  /** The links of the features in the footer. */
  readonly footLinks: readonly FootLink[];
  /** Returns the keys of the outbox jobs of an order that its page in the back office shows. */
  orderJobKeys(queries: Db, orderId: string): Promise<readonly string[]>;
  /** Aborted when the process begins to shut down. */
  readonly shutdown: AbortSignal;
}
