import type { CheckoutServices } from '../checkout/services.js';
import type { Locale } from '../core/catalogue.js';
import type { AttemptKind } from '../core/order.js';
import type { WebhookAuth } from '../core/webhook-auth.js';
import type { Translations } from '../words/translations.js';
import type { Assets } from './assets.js';
import type { KeptAnswers } from './kept-answers.js';
import type { Pages } from './pages.js';
import type { RefusedWebhooks } from './refused-webhooks.js';

export interface WebSettings {
  readonly production: boolean;
  readonly publicUrl: string;
  /** The first is for visitors whose browser asks for none of them. */
  readonly languages: readonly [Locale, ...Locale[]];
  readonly trustProxy: number;
  readonly tokenizerUrl: string;
  /** Origins of the service's hosted page, for the Content-Security-Policy of the checkout forms. */
  readonly pageOrigins: readonly string[];
  /** Present when the payment service is the simulator: where its start page is. */
  readonly simulatorUrl?: string;
  /** What the checkout offers; the addresses of the others are not there. */
  readonly waysToPay: readonly AttemptKind[];
  readonly attemptLimits: boolean;
  readonly sessionSecret: string;
  /** Absent: the metrics are for programs on this machine, in development; in production for nobody. */
  readonly metricsToken?: string;
  /** Absent: no webhook is let in. */
  readonly webhookAuth?: WebhookAuth;
  /** Absent: there is no desk. */
  readonly adminPassword?: string;
}

/** What routes and middleware work with. */
export interface WebServices {
  readonly checkout: CheckoutServices;
  readonly settings: WebSettings;
  readonly assets: Assets;
  readonly translations: Translations;
  readonly pages: Pages;
  readonly kept: KeptAnswers;
  /** Messages that were not let in, as far as this process met them. */
  readonly refusedWebhooks: RefusedWebhooks;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
}
