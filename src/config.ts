import { LOCALES, type Locale } from './core/catalogue.js';
import { readWebhookAuth, type WebhookAuth } from './core/webhook-auth.js';
import { type Environment, isSimulated, readSettings, type Settings, SIMULATOR } from './settings.js';

const MINUTE = 60_000;
/** Half a minute inside the service's window at both ends: the call takes a moment, and its clock is not ours. */
const SHORTEST_TTL_MS = 30.5 * MINUTE;
const LONGEST_TTL_MS = (24 * 60 - 0.5) * MINUTE;

/** Two health checks of a proxy that asks every second. */
const LAME_DUCK_MS = 2_500;

/** Everything that is settled before the first request; holds no secret. */
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
  };
  /** A CSV file with the goods; absent: those of `src/goods.ts`. */
  readonly productsFile?: string;
  /** What the checkout offers. */
  readonly waysToPay: Settings['WAYS_TO_PAY'];
  /** A file to which every exchange with the service is added, redacted; absent: none is kept. */
  readonly recordExchanges?: string;
  readonly orderTtlMs: number;
  /** How long name and e-mail stay with an order, in milliseconds; absent: always. */
  readonly personalDataMs?: number;
  /** How long a shop that is stopped still serves, so that a proxy can notice, in milliseconds. */
  readonly lameDuckMs: number;
  readonly mailFrom: string;
  readonly trustProxy: number;
  readonly attemptLimits: boolean;
  readonly logLevel: Settings['LOG_LEVEL'];
  /** The first is for visitors whose browser asks for none of them. */
  readonly languages: readonly [Locale, ...Locale[]];
}

/** Handed only to what needs them. */
export interface Secrets {
  /** Absent in development: one is made and kept under `data/`. */
  readonly sessionSecret?: string;
  readonly apiKey: string;
  readonly signingSecret?: string;
  /** Holds a password; absent: mails are written to files. */
  readonly smtpUrl?: string;
  /** Absent: no message is let in. */
  readonly webhookAuth?: WebhookAuth;
  /** Absent: no desk in production; in development one is made and kept under `data/`. */
  readonly adminPassword?: string;
  /** Absent: the metrics are for programs on this machine, in development; in production for nobody. */
  readonly metricsToken?: string;
}

export type ConfigReading =
  | { readonly ok: true; readonly config: Config; readonly secrets: Secrets }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Turns an environment into configuration and secrets, or into the list of all its problems. Reads nothing itself. */
export function parseConfig(environment: Environment): ConfigReading {
  const reading = readSettings(environment);
  if (!reading.ok) return reading;
  return { ok: true, config: toConfig(reading.settings), secrets: toSecrets(reading.settings) };
}

function toConfig(settings: Settings): Config {
  const production = settings.NODE_ENV === 'production';
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
    },
    ...(settings.PRODUCTS_FILE !== undefined && { productsFile: settings.PRODUCTS_FILE }),
    waysToPay: settings.WAYS_TO_PAY,
    ...(settings.RECORD_EXCHANGES !== undefined && { recordExchanges: settings.RECORD_EXCHANGES }),
    orderTtlMs: Math.min(Math.max(settings.ORDER_TTL_MINUTES * MINUTE, SHORTEST_TTL_MS), LONGEST_TTL_MS),
    ...(settings.PERSONAL_DATA_DAYS !== undefined && {
      personalDataMs: settings.PERSONAL_DATA_DAYS * 24 * 60 * MINUTE,
    }),
    lameDuckMs: production ? LAME_DUCK_MS : 0,
    mailFrom: settings.MAIL_FROM,
    trustProxy: settings.TRUST_PROXY,
    attemptLimits: settings.ATTEMPT_LIMITS === 'on',
    logLevel: settings.LOG_LEVEL,
    languages: languagesOf(settings),
  };
}

function languagesOf({ LANGUAGES, DEFAULT_LOCALE }: Settings): Config['languages'] {
  const [first = LOCALES[0]] = DEFAULT_LOCALE === undefined ? LANGUAGES : [DEFAULT_LOCALE];
  return [first, ...LANGUAGES.filter((language) => language !== first)];
}

function toSecrets(settings: Settings): Secrets {
  const webhookAuth = readWebhookAuth(
    settings.WEBHOOK_AUTH ?? (isSimulated(settings) ? SIMULATOR.webhookAuth : ''),
  );
  return {
    apiKey: settings.PAYMENTS_API_KEY ?? SIMULATOR.apiKey,
    ...(settings.SESSION_SECRET !== undefined && { sessionSecret: settings.SESSION_SECRET }),
    ...(webhookAuth && { webhookAuth }),
    ...(settings.ADMIN_PASSWORD !== undefined && { adminPassword: settings.ADMIN_PASSWORD }),
    ...(settings.METRICS_TOKEN !== undefined && { metricsToken: settings.METRICS_TOKEN }),
    ...(settings.SMTP_URL !== undefined && { smtpUrl: settings.SMTP_URL }),
    ...(settings.PAYMENTS_SIGNING_SECRET !== undefined && {
      signingSecret: settings.PAYMENTS_SIGNING_SECRET,
    }),
  };
}
