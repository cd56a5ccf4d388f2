import { LOCALES, type Locale } from '../domain/locale.js';
import { readWebhookAuth } from '../domain/webhook-auth.js';
import { brand } from '../locales/brand.js';
import { type Environment, isSimulated, readSettings, type Settings, SIMULATOR } from './settings.js';

const MINUTE = 60_000;
/** The gateway accepts 30 minutes to 24 hours. Half a minute at both ends allows for call time and clock skew. */
const SHORTEST_TTL_MS = 30.5 * MINUTE;
const LONGEST_TTL_MS = (24 * 60 - 0.5) * MINUTE;

/** Time for two health checks of a proxy that checks every second. */
const SHUTDOWN_DELAY_MS = 2_500;

/** The configuration of the shop, without secrets. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** The secrets, separate from `Config` so that only the code that needs them gets them. */
export type Secrets = Readonly<ReturnType<typeof toSecrets>>;

export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly secrets: Secrets }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses an environment into configuration and secrets, or returns all problems. Pure. */
export function parseConfig(environment: Environment): ConfigResult {
  const result = readSettings(environment);
  if (!result.ok) return result;
  return { ok: true, config: toConfig(result.settings), secrets: toSecrets(result.settings) };
}

function toConfig(settings: Settings) {
  const production = settings.NODE_ENV === 'production';
  const simulatorUrl = `http://localhost:${settings.SIMULATOR_PORT}`;
  const checkoutApiUrl = settings.CHECKOUT_API_URL ?? simulatorUrl;
  const first = settings.DEFAULT_LOCALE ?? settings.LOCALES[0] ?? LOCALES[0];
  const locales: readonly [Locale, ...Locale[]] = [first, ...settings.LOCALES.filter((each) => each !== first)];
  return {
    production,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL,
    payments: {
      simulated: isSimulated(settings),
      baseUrl: settings.PAYMENTS_BASE_URL ?? simulatorUrl,
      checkoutApiUrl,
      pageOrigins: settings.CHECKOUT_PAGE_ORIGINS ?? [new URL(checkoutApiUrl).origin],
      tokenizerUrl: settings.TOKENIZER_URL ?? `${new URL(checkoutApiUrl).origin}${SIMULATOR.tokenizerPath}`,
      signingText: settings.PAYMENTS_SIGNING_TEXT,
    },
    paymentFlows: settings.PAYMENT_FLOWS,
    refunds: settings.REFUNDS,
    /** Whether a refund may be smaller than what can still be refunded. */
    partialRefunds: settings.REFUND_PARTIAL === 'on',
    orderTtlMs: Math.min(Math.max(settings.ORDER_TTL_MINUTES * MINUTE, SHORTEST_TTL_MS), LONGEST_TTL_MS),
    /** Retention of personal data of orders, in milliseconds. `undefined`: unlimited. */
    piiRetentionMs:
      settings.PII_RETENTION_DAYS === undefined ? undefined : settings.PII_RETENTION_DAYS * 24 * 60 * MINUTE,
    /** Months after the month of a sale in which the customer may request an invoice. `undefined`: never. */
    invoiceMonths: settings.INVOICE_REQUEST_MONTHS === 'off' ? undefined : settings.INVOICE_REQUEST_MONTHS,
    /** How long a stopped shop still accepts requests, in milliseconds. The proxy detects the failed readiness probe. */
    shutdownDelayMs: production ? SHUTDOWN_DELAY_MS : 0,
    mailFrom: settings.MAIL_FROM ?? `${JSON.stringify(brand.name)} <tienda@localhost>`,
    /** Recipient of the notifications. `undefined`: none are sent. */
    merchantEmail: settings.MERCHANT_EMAIL,
    trustProxy: settings.TRUST_PROXY ?? 0,
    hstsIncludeSubdomains: settings.HSTS_INCLUDE_SUBDOMAINS === 'on',
    rateLimit: settings.RATE_LIMIT === 'on',
    logLevel: settings.LOG_LEVEL,
    /** The first is the default, for browsers that accept none of them. */
    locales,
  };
}

function toSecrets(settings: Settings) {
  const webhookAuth = readWebhookAuth(settings.WEBHOOK_AUTH ?? (isSimulated(settings) ? SIMULATOR.webhookAuth : ''));
  return {
    /** May hold a password. */
    databaseUrl: settings.DATABASE_URL,
    apiKey: settings.PAYMENTS_API_KEY ?? SIMULATOR.apiKey,
    /** `undefined` in development: a secret is generated and stored under `data/`. */
    sessionSecret: settings.SESSION_SECRET,
    /** `undefined`: every webhook is rejected. */
    webhookAuth,
    /** `undefined` in production: no first user. In development a password is generated and stored under `data/`. */
    adminPassword: settings.ADMIN_PASSWORD,
    /** `undefined` in production: no metrics. In development loopback requests may read the metrics. */
    metricsToken: settings.METRICS_TOKEN,
    /** Holds a password. `undefined`: mails are written to files. */
    smtpUrl: settings.SMTP_URL,
    signingSecret: settings.PAYMENTS_SIGNING_SECRET,
  };
}
