import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLookupBudget, unlimitedLookups } from './checkout/lookup-budget.js';
import { onPaid } from './checkout/on-paid.js';
import type { CheckoutPolicy, CheckoutServices, Clock } from './checkout/services.js';
import type { Config, Secrets } from './config.js';
import { openDatabase } from './db/database.js';
import type { EventLog } from './domain/event-log.js';
import { faultName } from './domain/fault-name.js';
import type { GatewaySettings } from './gateway/connection.js';
import { createGateway } from './gateway/gateway.js';
import { loadTranslations, type Translations } from './locales/translations.js';
import { loadLetters } from './mail/letter.js';
import { createMailer } from './mail/mailer.js';
import { composeOrderLink, composeReceipt } from './mail/receipt.js';
import { createMetrics, type Metrics } from './metrics/metrics.js';
import { projectRoot } from './project-root.js';
import { fingerprintAssets } from './web/asset-url.js';
import { GATEWAY_LIMIT } from './web/middleware/limit-attempts.js';
import { refusedWebhooks } from './web/refused-webhooks.js';
import type { WebServices, WebSettings } from './web/services.js';

/** Lease to start an attempt at the gateway: longer than the deadline of the call plus the writes around it. */
const CLAIM_MS = { hosted: 12_000, card: 35_000 } as const;
const EFFECT_DEADLINE_MS = 60_000;

export interface Services extends AsyncDisposable {
  readonly checkout: CheckoutServices;
  readonly web: WebServices;
  /** Abort it when the shutdown begins. The readiness probe then fails. */
  readonly shutdown: AbortController;
  /** Imports libraries that only a checkout needs. Neither the start nor the first checkout waits for them. */
  warmUp(): Promise<void>;
}

export interface Ambience {
  readonly clock: Clock;
  readonly log: EventLog;
  /** For mail files, and for generated secrets in development. */
  readonly dataDirectory: string;
}

/** Creates the services of the process and runs the missing migrations. The caller must dispose of them. */
export async function openServices(config: Config, secrets: Secrets, ambience: Ambience): Promise<Services> {
  const { clock, log } = ambience;
  if (secrets.webhookAuth?.scheme === 'none') log.warn('webhooks_not_authenticated');
  const db = openDatabase(config.databaseUrl, (error) =>
    log.error('database_connection', { reason: faultName(error) }),
  );
  const metrics = createMetrics({ queries: db.queries, clock, log, orderTtlMs: config.orderTtlMs });
  const { observer } = metrics;
  const gateway = createGateway({
    ...gatewaySettings(config, secrets),
    onCall: observer.serviceCalled,
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
    lookupBudget: config.attemptLimits ? createLookupBudget(db.limiter) : unlimitedLookups,
    sendReceipt: (paid) => mailer.send(composeReceipt(paid, mailWords)),
    onPaid,
    sendOrderLink: (order, key) => mailer.send(composeOrderLink(order, key, mailWords)),
    policy: checkoutPolicy(config, secrets),
  };
  await db.migrate();
  const shutdown = new AbortController();
  const parts = { checkout, translations, metrics, shutdown: shutdown.signal };
  return {
    checkout,
    shutdown,
    web: buildWeb(parts, webSettings(config, secrets, ambience.dataDirectory)),
    async warmUp() {
      for (const part of [db, gateway, mailer]) await part.warmUp();
    },
    async [Symbol.asyncDispose]() {
      shutdown.abort();
      gateway[Symbol.dispose]();
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

function checkoutPolicy(config: Config, { webhookAuth, apiKey }: Secrets): CheckoutPolicy {
  const { baseUrl, checkoutApiUrl } = config.payments;
  return {
    orderTtlMs: config.orderTtlMs,
    ...(config.personalDataMs !== undefined && { personalDataMs: config.personalDataMs }),
    publicUrl: config.publicUrl,
    environment: `${baseUrl} ${checkoutApiUrl} ${fingerprint(apiKey)}`,
    webhooksAuthenticated: webhookAuth !== undefined && webhookAuth.scheme !== 'none',
    claimMs: CLAIM_MS,
    effectDeadlineMs: EFFECT_DEADLINE_MS,
  };
}

/** Returns a truncated hash: it distinguishes keys and does not reveal them. */
function fingerprint(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 12);
}

function webSettings(config: Config, secrets: Secrets, dataDirectory: string): WebSettings {
  const { payments } = config;
  const adminPassword = secrets.adminPassword ?? developmentPassword(config, dataDirectory);
  return {
    production: config.production,
    publicUrl: config.publicUrl,
    languages: config.languages,
    trustProxy: config.trustProxy,
    hstsIncludeSubdomains: config.hstsIncludeSubdomains,
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
  readonly shutdown: AbortSignal;
}

function buildWeb(parts: WebParts, settings: WebSettings): WebServices {
  const publicDirectory = directory('public');
  return {
    ...parts,
    settings,
    viewsDirectory: directory('views'),
    publicDirectory,
    assetUrl: fingerprintAssets(publicDirectory),
    refusedWebhooks: refusedWebhooks(parts.checkout),
    gatewayLimit: parts.checkout.db.limiter(GATEWAY_LIMIT),
  };
}

function directory(name: string): string {
  return join(projectRoot, name);
}

function sessionSecretOf({ sessionSecret }: Secrets, dataDirectory: string): string {
  return sessionSecret ?? developmentSecret(dataDirectory, { name: 'session-secret', bytes: 48 });
}

function developmentPassword({ production }: Config, dataDirectory: string): string | undefined {
  return production ? undefined : developmentSecret(dataDirectory, { name: 'admin-password', bytes: 12 });
}

/** Generates a secret once and stores it, so that carts and password survive a restart in development. */
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
