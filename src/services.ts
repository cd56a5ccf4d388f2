import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CheckoutPolicy, CheckoutServices, Clock } from './checkout/services.js';
import type { Config, Secrets } from './config.js';
import type { EventLog } from './core/event-log.js';
import type { GatewaySettings } from './gateway/connection.js';
import { createGateway } from './gateway/gateway.js';
import { createRecorder, type Recorder } from './gateway/recording/recorder.js';
import { loadLetters } from './mail/letter.js';
import { createMailer } from './mail/mailer.js';
import { composeOrderLink, composeReceipt } from './mail/receipt.js';
import { createMetrics, type Metrics } from './metrics/metrics.js';
import { openDatabase } from './store/database.js';
import { loadAssets } from './web/assets.js';
import { KeptAnswers } from './web/kept-answers.js';
import { createPages } from './web/pages.js';
import { refusedWebhooks } from './web/refused-webhooks.js';
import type { WebServices, WebSettings } from './web/services.js';
import { compileViews } from './web/views.js';
import { loadTranslations, type Translations } from './words/translations.js';

/** A caller of the service may take its deadline and the writes around it before another takes over. */
const CLAIM_MS = { hosted: 12_000, card: 35_000 } as const;

export interface Services extends AsyncDisposable {
  readonly checkout: CheckoutServices;
  readonly web: WebServices;
  /** Loads what nobody needs before the first checkout, so that the first page does not wait for it, nor the checkout. */
  warmUp(): Promise<void>;
}

export interface Ambience {
  readonly clock: Clock;
  readonly log: EventLog;
  /** Where the session secret of a development shop is kept. */
  readonly dataDirectory: string;
}

/** Builds everything that lives as long as the process, with the database brought to today's shape. */
export async function openServices(config: Config, secrets: Secrets, ambience: Ambience): Promise<Services> {
  const { clock, log } = ambience;
  const db = openDatabase(config.databaseUrl, (error) =>
    log.error('database_connection', { reason: error.name }),
  );
  const metrics = createMetrics({ queries: db.queries, clock, orderTtlMs: config.orderTtlMs });
  const { observer } = metrics;
  const recorder = openRecorder(config, secrets, ambience);
  const gateway = createGateway({
    ...gatewaySettings(config, secrets),
    onCall: observer.serviceCalled,
    ...(recorder && { onExchange: recorder.witness }),
  });
  const translations = loadTranslations();
  const mailer = createMailer({
    from: config.mailFrom,
    directory: `${ambience.dataDirectory}/mail`,
    ...(secrets.smtpUrl !== undefined && { smtpUrl: secrets.smtpUrl }),
  });
  const writeLetter = loadLetters({ views: directory('views'), public: directory('public') });
  const mailWords = { translations, publicUrl: config.publicUrl, writeLetter };
  const checkout: CheckoutServices = {
    db,
    gateway,
    clock,
    log,
    observer,
    lookups: new Map(),
    sendReceipt: (paid) => mailer.send(composeReceipt(paid, mailWords)),
    sendOrderLink: (order, key) => mailer.send(composeOrderLink(order, key, mailWords)),
    policy: checkoutPolicy(config, secrets),
  };
  await db.migrate();
  return {
    checkout,
    web: buildWeb({ checkout, translations, metrics }, webSettings(config, secrets, ambience.dataDirectory)),
    async warmUp() {
      for (const part of [db, gateway, mailer]) await part.warmUp();
    },
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
      await recorder?.settled();
      mailer[Symbol.dispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

function gatewaySettings(
  { payments, production }: Config,
  { apiKey, signingSecret }: Secrets,
): GatewaySettings {
  return {
    ...payments,
    apiKey,
    allowLoopbackHttp: !production,
    ...(signingSecret !== undefined && { signingSecret }),
  };
}

function openRecorder(config: Config, secrets: Secrets, ambience: Ambience): Recorder | undefined {
  const { recordExchanges: path, payments, production } = config;
  if (path === undefined) return undefined;
  const { log, dataDirectory } = ambience;
  log.warn('exchanges_are_recorded');
  return createRecorder({
    path,
    log,
    pseudonymSecret: sessionSecretOf(secrets, dataDirectory),
    secrets: [secrets.apiKey, secrets.signingSecret].filter((secret) => secret !== undefined),
    pages: { origins: payments.pageOrigins, allowLoopbackHttp: !production },
  });
}

function checkoutPolicy(config: Config, { webhookAuth }: Secrets): CheckoutPolicy {
  return {
    orderTtlMs: config.orderTtlMs,
    ...(config.personalDataMs !== undefined && { personalDataMs: config.personalDataMs }),
    publicUrl: config.publicUrl,
    environment: `${config.payments.baseUrl} ${config.payments.checkoutApiUrl}`,
    webhooksAuthenticated: webhookAuth !== undefined && webhookAuth.scheme !== 'none',
    claimMs: CLAIM_MS,
  };
}

function webSettings(config: Config, secrets: Secrets, dataDirectory: string): WebSettings {
  const { payments } = config;
  const adminPassword = secrets.adminPassword ?? developmentPassword(config, dataDirectory);
  return {
    production: config.production,
    publicUrl: config.publicUrl,
    languages: config.languages,
    trustProxy: config.trustProxy,
    tokenizerUrl: payments.tokenizerUrl,
    pageOrigins: payments.pageOrigins,
    waysToPay: config.waysToPay,
    attemptLimits: config.attemptLimits,
    sessionSecret: sessionSecretOf(secrets, dataDirectory),
    ...(secrets.metricsToken !== undefined && { metricsToken: secrets.metricsToken }),
    ...(secrets.webhookAuth && { webhookAuth: secrets.webhookAuth }),
    ...(adminPassword !== undefined && { adminPassword }),
    ...(payments.simulated && { simulatorUrl: payments.checkoutApiUrl }),
  };
}

interface WebParts {
  readonly checkout: CheckoutServices;
  readonly translations: Translations;
  readonly metrics: Metrics;
}

function buildWeb({ checkout, translations, metrics }: WebParts, settings: WebSettings): WebServices {
  const assets = loadAssets(directory('public'));
  const views = compileViews(directory('views'));
  const { simulatorUrl, languages } = settings;
  const kept = new KeptAnswers(checkout.clock);
  const pages = createPages({ views, assets, kept, queries: checkout.db.queries, simulatorUrl, languages });
  return {
    checkout,
    settings,
    assets,
    translations,
    pages,
    kept,
    refusedWebhooks: refusedWebhooks(checkout),
    metrics,
  };
}

function directory(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

function sessionSecretOf({ sessionSecret }: Secrets, dataDirectory: string): string {
  return sessionSecret ?? developmentSecret(dataDirectory, { name: 'session-secret', bytes: 48 });
}

function developmentPassword({ production }: Config, dataDirectory: string): string | undefined {
  return production ? undefined : developmentSecret(dataDirectory, { name: 'admin-password', bytes: 12 });
}

/** Made once and kept, so that a restart in development voids nobody's cart and changes no password. */
function developmentSecret(
  dataDirectory: string,
  { name, bytes }: { readonly name: string; readonly bytes: number },
): string {
  const path = `${dataDirectory}/${name}`;
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const secret = randomBytes(bytes).toString('base64url');
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}
