import type { CheckoutContext } from '../checkout/context.js';
import type { ContentIn } from '../content/content-pages.js';
import type { Limiter } from '../db/connection/limits.js';
import type { Locale } from '../domain/locale.js';
import type { PaymentFlow } from '../domain/order.js';
import type { WebhookAuth } from '../domain/webhook-auth.js';
import type { Translations } from '../locales/translations.js';
import type { RefusedWebhooks } from './refused-webhooks.js';
import type { AssetUrl } from './static-files.js';

export interface WebSettings {
  readonly production: boolean;
  readonly publicUrl: string;
  /** Offered locales. The first is the default. */
  readonly locales: readonly [Locale, ...Locale[]];
  readonly trustProxy: number;
  readonly hstsIncludeSubdomains: boolean;
  readonly tokenizerUrl: string;
  /** Origins of the hosted payment page, for the Content-Security-Policy of the checkout forms. */
  readonly pageOrigins: readonly string[];
  /** URL of the start page of the simulator. Present only if the simulator is the gateway. */
  readonly simulatorUrl?: string;
  /** Enabled payment flows. The routes of the others answer 404. */
  readonly paymentFlows: readonly PaymentFlow[];
  readonly rateLimit: boolean;
  readonly sessionSecret: string;
  /** Absent: metrics are available to local clients in development, and not at all in production. */
  readonly metricsToken?: string;
  /** Absent: all webhook events are refused. */
  readonly webhookAuth?: WebhookAuth;
}

/** Dependencies of routes and middleware. */
export interface WebContext {
  readonly checkout: CheckoutContext;
  readonly config: WebSettings;
  readonly viewsDirectory: string;
  readonly publicDirectory: string;
  /** The main color of the shop, as `#RRGGBB`. */
  readonly brandColor: string;
  readonly assetUrl: AssetUrl;
  readonly translations: Translations;
  /** The pages of `content/`. */
  readonly contentIn: ContentIn;
  /** Aborted when the process begins to shut down. */
  readonly shutdown: AbortSignal;
  /** Webhook events that this process refused. */
  readonly refusedWebhooks: RefusedWebhooks;
  /** Rate limit of requests that call the gateway, for all customers together. */
  readonly gatewayLimit: Limiter;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
}
