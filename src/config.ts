import { LOCALES, type Locale } from './domain/locale.js';
import { readWebhookAuth, type WebhookAuth } from './domain/webhook-auth.js';
import { type Environment, isSimulated, readSettings, type Settings, SIMULATOR } from './settings.js';

const MINUTE = 60_000;
/** The gateway accepts 30 minutes to 24 hours. Half a minute at both ends allows for call time and clock skew. */
const SHORTEST_TTL_MS = 30.5 * MINUTE;
const LONGEST_TTL_MS = (24 * 60 - 0.5) * MINUTE;

/** Time for two health checks of a proxy that checks every second. */
const LAME_DUCK_MS = 2_500;

/** The configuration of the shop, without secrets. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly payments: {
    readonly simulated: boolean;
    readonly baseUrl: string;
    readonly checkoutApiUrl: string;
    readonly pageOrigins: readonly string[];
    readonly tokenizerUrl: string;
    readonly signingText: Settings['PAYMENTS_SIGNING_TEXT'];
  };
  /** A CSV file with the products. Absent: the sample products. */
  readonly productsFile?: string;
  /** The payment flows that the checkout offers. */
  readonly paymentFlows: Settings['PAYMENT_FLOWS'];
  readonly orderTtlMs: number;
  /** Retention of name and e-mail on an order, in milliseconds. Absent: unlimited. */
  readonly piiRetentionMs?: number;
  /** How long a stopped shop still accepts requests, in milliseconds. The proxy detects the failed readiness probe. */
  readonly lameDuckMs: number;
  readonly mailFrom: string;
  readonly trustProxy: number;
  /** Whether the HSTS header has `includeSubDomains`. */
  readonly hstsIncludeSubdomains: boolean;
  readonly rateLimit: boolean;
  readonly logLevel: Settings['LOG_LEVEL'];
  /** The first is the default, for browsers that accept none of them. */
  readonly locales: readonly [Locale, ...Locale[]];
}

/** The secrets, separate from `Config` so that only the code that needs them gets them. */
export interface Secrets {
  /** May be absent in development: a secret is then generated and stored under `data/`. */
  readonly sessionSecret?: string;
  readonly apiKey: string;
  readonly signingSecret?: string;
  /** Holds a password; absent: mails are written to files. */
  readonly smtpUrl?: string;
  /** Absent: every webhook is rejected. */
  readonly webhookAuth?: WebhookAuth;
  /** Absent in production: no back office. Absent in development: one is generated and stored under `data/`. */
  readonly adminPassword?: string;
  /** Absent in production: no metrics. Absent in development: loopback requests may read the metrics. */
  readonly metricsToken?: string;
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly secrets: Secrets }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses an environment into configuration and secrets, or returns all problems. Pure. */
export function parseConfig(environment: Environment): ConfigReading {
  const reading = readSettings(environment);
  if (!reading.ok) return reading;
  return { ok: true, config: toConfig(reading.settings), secrets: toSecrets(reading.settings) };
}

function toConfig(settings: Settings): Config {
  const production = settings.NODE_ENV === 'production';
  const { TRUST_PROXY: trustProxy = 0 } = settings;
  const simulatorUrl = `http://localhost:${settings.SIMULATOR_PORT}`;
  const checkoutApiUrl = settings.CHECKOUT_API_URL ?? simulatorUrl;
  return {
    production,
    host: settings.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL,
    databaseUrl: settings.DATABASE_URL,
    payments: {
      simulated: isSimulated(settings),
      baseUrl: settings.PAYMENTS_BASE_URL ?? simulatorUrl,
      checkoutApiUrl,
      pageOrigins: settings.CHECKOUT_PAGE_ORIGINS ?? [new URL(checkoutApiUrl).origin],
      tokenizerUrl: settings.TOKENIZER_URL ?? `${new URL(checkoutApiUrl).origin}${SIMULATOR.tokenizerPath}`,
      signingText: settings.PAYMENTS_SIGNING_TEXT,
    },
    productsFile: settings.PRODUCTS_FILE,
    paymentFlows: settings.PAYMENT_FLOWS,
    orderTtlMs: Math.min(Math.max(settings.ORDER_TTL_MINUTES * MINUTE, SHORTEST_TTL_MS), LONGEST_TTL_MS),
    ...(settings.PII_RETENTION_DAYS !== undefined && {
      piiRetentionMs: settings.PII_RETENTION_DAYS * 24 * 60 * MINUTE,
    }),
    lameDuckMs: production ? LAME_DUCK_MS : 0,
    mailFrom: settings.MAIL_FROM,
    trustProxy,
    hstsIncludeSubdomains: settings.HSTS_INCLUDE_SUBDOMAINS === 'on',
    rateLimit: settings.RATE_LIMIT === 'on',
    logLevel: settings.LOG_LEVEL,
    locales: localesOf(settings),
  };
}

function localesOf({ LOCALES: offered, DEFAULT_LOCALE: preferred }: Settings): Config['locales'] {
  const first = preferred ?? offered[0] ?? LOCALES[0];
  return [first, ...offered.filter((locale) => locale !== first)];
}

function toSecrets(settings: Settings): Secrets {
  const webhookAuth = readWebhookAuth(
    settings.WEBHOOK_AUTH ?? (isSimulated(settings) ? SIMULATOR.webhookAuth : ''),
  );
  return {
    apiKey: settings.PAYMENTS_API_KEY ?? SIMULATOR.apiKey,
    sessionSecret: settings.SESSION_SECRET,
    ...(webhookAuth && { webhookAuth }),
    adminPassword: settings.ADMIN_PASSWORD,
    metricsToken: settings.METRICS_TOKEN,
    smtpUrl: settings.SMTP_URL,
    signingSecret: settings.PAYMENTS_SIGNING_SECRET,
  };
}
