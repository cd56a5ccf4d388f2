import { secretValues } from '@tianguis/payments/rules';
import { configurePayments, identityOf } from '@tianguis/payments/settings';
import { featureConfig, featureSecrets } from '../features/settings.js';
import { brand } from '../locales/brand.js';
import type { Locale } from '../shop/rules/locale.js';
import { LOCALES } from '../shop/rules/locales.js';
import { type Environment, readSettings, type Settings } from './settings.js';

const MINUTE = 60_000;

/** Time for two health checks of a proxy that checks every second. */
const SHUTDOWN_DELAY_MS = 2_500;

/** The configuration of the shop, without secrets. Each part of the shop takes the members that it uses. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** What the features configure. */
export type FeatureConfig = ReturnType<typeof featureConfig>;

/** The secrets, separate from `Config` so that only the code that needs them gets them. */
export type Secrets = Readonly<ReturnType<typeof toSecrets>>;

export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly secrets: Secrets }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses an environment into configuration and secrets, or returns all problems. Pure. */
export function parseConfig(environment: Environment): ConfigResult {
  const result = readSettings(environment);
  if (!result.ok) return result;
  const secrets = toSecrets(result.settings);
  return { ok: true, config: toConfig(result.settings), secrets };
}

function toConfig(settings: Settings) {
  const { settings: payments, tokenizerUrl, simulatorUrl } = configurePayments(settings);
  const { production } = payments;
  const first = settings.DEFAULT_LOCALE ?? settings.LOCALES[0] ?? LOCALES[0];
  const locales: readonly [Locale, ...Locale[]] = [first, ...settings.LOCALES.filter((each) => each !== first)];
  return {
    production,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    /** Without a trailing slash. */
    publicUrl: settings.PUBLIC_URL,
    payments: {
      /** `undefined`: the gateway is not the simulator. */
      simulatorUrl,
      /** `{base_url}` and `{checkout_api_url}` of the interface, without a trailing slash. */
      baseUrl: payments.baseUrl,
      checkoutApiUrl: payments.checkoutApiUrl,
      /** Origins of the hosted page. A session with any other address is not used. */
      pageOrigins: payments.pageOrigins,
      tokenizerUrl,
      /** How a body is written: with every character outside U+0020–U+007E escaped, or as plain UTF-8. */
      signingText: payments.signingText,
    },
    ...identityOf(payments),
    /** Whether webhook requests are authenticated, so that only the gateway can post events. */
    webhooksAuthenticated: payments.webhooksAuthenticated,
    /** Offered payment flows. The routes of the others answer 404. */
    paymentFlows: settings.PAYMENT_FLOWS,
    refunds: settings.REFUNDS,
    /** Whether a refund may be smaller than what can still be refunded. */
    partialRefunds: settings.REFUND_PARTIAL === 'on',
    /** TTL of an order's payment page, in milliseconds. */
    orderTtlMs: payments.orderTtlMs,
    /** Deadline of one outbox job, in milliseconds. Below the lease of 120 s. */
    jobDeadlineMs: payments.jobDeadlineMs,
    /** Two letters before each order number. */
    orderPrefix: brand.orderPrefix,
    /** How long an unpaid order can be paid from its link, in milliseconds. */
    orderPayableMs: settings.ORDER_PAYABLE_DAYS * 24 * 60 * MINUTE,
    /** How long a stopped shop still accepts requests, in milliseconds. The proxy detects the failed readiness probe. */
    shutdownDelayMs: production ? SHUTDOWN_DELAY_MS : 0,
    mailFrom: settings.MAIL_FROM ?? 'tienda@localhost',
    /** Recipient of the notifications. `undefined`: none are sent. */
    merchantEmail: settings.MERCHANT_EMAIL,
    trustProxy: settings.TRUST_PROXY ?? 0,
    hstsIncludeSubdomains: settings.HSTS_INCLUDE_SUBDOMAINS === 'on',
    rateLimit: settings.RATE_LIMIT === 'on',
    logLevel: settings.LOG_LEVEL,
    ...featureConfig(settings),
    /** The first is the default, for browsers that accept none of them. */
    locales,
  };
}

/**
 * Returns how many values the settings have that may have older ones too.
 * @public also used by tools
 */
export function countSecretValues({ sessionSecrets, webhookAuth }: Secrets) {
  const credentials = webhookAuth?.scheme === 'header' ? webhookAuth.credentials : [];
  return [
    { setting: 'SESSION_SECRET', count: sessionSecrets?.length ?? 0 },
    { setting: 'WEBHOOK_AUTH', count: credentials.length },
  ] as const;
}

function toSecrets(settings: Settings) {
  const { settings: payments, webhookAuth } = configurePayments(settings);
  return {
    /** May hold a password. */
    databaseUrl: settings.DATABASE_URL,
    apiKey: payments.apiKey,
    /** `undefined` in development: a secret is generated and stored under `data/`. */
    sessionSecrets: settings.SESSION_SECRET === undefined ? undefined : secretValues(settings.SESSION_SECRET),
    /** `undefined`: every webhook is rejected. */
    webhookAuth,
    /** `undefined` in production: no first user. In development a password is generated and stored under `data/`. */
    adminPassword: settings.ADMIN_PASSWORD,
    features: featureSecrets(settings),
    /** Holds a password. `undefined`: mails are written to files. */
    smtpUrl: settings.SMTP_URL,
    signingSecret: settings.PAYMENTS_SIGNING_SECRET,
  };
}
