import type { Response } from 'express';
import type { Config, Secrets } from '../config/config.js';
import type { ContentIn } from '../content/content-pages.js';
import type { Translate, Translations } from '../locales/translations.js';
import type { SendMail } from '../mail/mails.js';
import type { CheckoutContext } from '../shop/context.js';
import type { OfferedProduct } from '../shop/rules/product.js';
import type { RefusedWebhooks } from './refused-webhooks.js';
import type { AssetUrl } from './static-files.js';

/** A link of the footer to a page of the shop. */
export interface FootLink {
  readonly href: string;
  label(t: Translate): string;
}

/** A public page. `path` is its path in the first locale, with the query string. */
export interface PublicPage {
  readonly path: string;
  /** The path that search engines show instead. */
  readonly canonical?: string;
  /** Default: the tagline of the shop. */
  readonly description?: string;
  /** Path of a picture, as `image` of a product. Link previews do not show SVG. */
  readonly image?: string;
  /** `product` or, by default, `website`. */
  readonly type?: string;
}

export interface Link {
  readonly label: string;
  readonly href: string;
}

/** Dependencies of routes and middleware. */
export interface WebContext {
  readonly checkout: CheckoutContext;
  readonly config: Pick<
    Config,
    | 'environment'
    | 'hstsIncludeSubdomains'
    | 'locales'
    | 'paymentFlows'
    | 'payments'
    | 'production'
    | 'publicUrl'
    | 'rateLimit'
    | 'trustProxy'
  >;
  /** Development has a generated session secret. */
  readonly secrets: Pick<Secrets, 'metricsToken' | 'webhookAuth'> & {
    readonly sessionSecrets: NonNullable<Secrets['sessionSecrets']>;
  };
  readonly viewsDirectory: string;
  readonly publicDirectory: string;
  /** The main color of the shop, as `#RRGGBB`. */
  readonly brandColor: string;
  readonly sendMail: SendMail;
  readonly assetUrl: AssetUrl;
  readonly translations: Translations;
  /** The pages of `content/`. */
  readonly contentIn: ContentIn;
  /** The links of the features in the footer. */
  readonly footLinks: readonly FootLink[];
  /** Data for search engines and link previews. Absent without a feature that has it. */
  readonly seo?: {
    /** Returns the model of the head of a public page. */
    head(res: Response, page: PublicPage): object;
    /** Returns the variants of a group, or its only product, as JSON for a data block in HTML. */
    productData(res: Response, variants: readonly OfferedProduct[], breadcrumb: readonly Link[]): string;
  };
  /** Aborted when the process begins to shut down. */
  readonly shutdown: AbortSignal;
  /** Webhook events that this process refused. */
  readonly refusedWebhooks: RefusedWebhooks;
}
