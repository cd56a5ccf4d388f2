import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPayments, type PaymentSettings } from '@tianguis/payments';
import { jobKey } from '@tianguis/payments/back-office';
import { waitForWrites } from '@tianguis/payments/operations';
import { type Clock, errorName, type Random } from '@tianguis/payments/rules';
import { addFirstAdminUser } from './admin/credentials.js';
import { importSampleCatalog } from './catalog/import-products.js';
import { type Config, countSecretValues, type Secrets } from './config/config.js';
import { contentDirectory } from './content/content-directory.js';
import { parseStoredTexts } from './content/content-pages.js';
import { asWritten } from './content/markdown.js';
import { findSampleTexts } from './content/sample-texts.js';
import { developmentSecret } from './development-secret.js';
import { FEATURES } from './features/index.js';
import { FLOWS } from './flows/index.js';
import { loadMailTemplate } from './mail/mail-template.js';
import { createMailer } from './mail/mailer.js';
import { createMails, type Mails } from './mail/mails.js';
import { featuresDirectory, projectRoot } from './project-root.js';
import { randomFromBlocks } from './random-blocks.js';
import type { CurrentShop } from './settings/current-shop.js';
import { currentShopOf } from './settings/current-shop.js';
import type { CheckoutContext, ShopLoop, ShopParts } from './shop/checkout-context.js';
import { deleteExpiredShopRows } from './shop/delete-expired-rows.js';
import { LIMITS, silentObserver } from './shop/observer.js';
import { onPaid } from './shop/on-paid.js';
import type { EventLog } from './shop/rules/event-log.js';
import type { StoredSettings } from './shop/rules/shop-settings.js';
import { openSettings } from './shop/settings-source.js';
import { boundLoops, createShopHost } from './shop/shop-host.js';
import { PAID_JOBS, SHOP_JOBS } from './shop/shop-jobs.js';
import { createStartLimits, unlimitedStarts } from './shop/start-limits.js';
import { findAdminUserByName } from './tables/admin-users.js';
import { type Database, type Db, openDatabase } from './tables/database.js';
import type { Schema } from './tables/schema.js';
import { orderPath } from './web/paths.js';
import { mergeServices } from './web/services.js';
import { fingerprintAssets } from './web/static-files.js';
import type { WebContext } from './web/web-context.js';

export interface AppContext extends AsyncDisposable {
  readonly checkout: CheckoutContext;
  readonly web: WebContext;
  /** Abort it when the shutdown begins. The readiness probe then fails. */
  readonly shutdown: AbortController;
  /** Password of the first user `admin`. Absent if it was changed, and in production without `ADMIN_PASSWORD`. */
  readonly adminPassword: string | undefined;
}

export interface ContextOptions {
  readonly clock: Clock;
  /** Default: {@link randomFromBlocks}. */
  readonly random?: Random;
  readonly log: EventLog;
  /** For mail files, and for generated secrets in development. */
  readonly dataDirectory: string;
  /** Called with the problems of the stored settings before the shop starts. It may end the process. */
  readonly checkSettings?: (problems: readonly string[]) => void;
}

/** The files that pages and mails are made of. */
const DIRECTORIES = {
  viewsDirectory: join(projectRoot, 'views'),
  publicDirectory: join(projectRoot, 'public'),
  featuresDirectory,
};

/** Creates the context of the process and runs the missing migrations. The caller must dispose of the context. */
export async function createContext(
  configured: Config,
  secrets: Secrets,
  options: ContextOptions,
): Promise<AppContext> {
  const config = withOfferedRefunds(configured);
  const { clock, log, random = randomFromBlocks() } = options;
  warnOfSecrets(secrets, log);
  const db = openDatabase(secrets.databaseUrl, (error, event) => log.error(event, { reason: errorName(error) }));
  await migrate(db, log);
  const { createObserver = () => silentObserver, discountCodes, ...services } = mergeServices(FEATURES);
  const limits = [...LIMITS, ...FEATURES.flatMap((feature) => feature.limits ?? [])];
  const assetUrl = fingerprintAssets(DIRECTORIES);
  const create = currentShopOf({ log, config, features: FEATURES, assetUrl });
  const settings = await openSettings({ queries: db.queries, clock, log, create, findProblems: sampleTexts(config) });
  options.checkSettings?.(await settings.findProblems(settings.current().storedSettings));
  const mailer = createMailer(config, secrets, `${options.dataDirectory}/mail`);
  const renderMail = loadMailTemplate(DIRECTORIES.viewsDirectory, (picture) => config.publicUrl + assetUrl(picture));
  const mails = createMails({ config, mailer, current: settings.current, renderMail });
  const added = fromFeatures(mails);
  const observer = createObserver({ config, queries: db.queries, clock, log, limits, jobs: Object.keys(added.jobs) });
  const checkout = openCheckout(
    {
      db,
      log,
      observer,
      config,
      sendReceipt: mails.sendReceipt,
      onPaid,
      orderPath,
      jobs: added.jobs,
      orderHooks: FEATURES,
      shopLoops: [EXPIRY, ...added.shopLoops],
      discountCodes,
      settings,
      startLimits: config.rateLimit ? createStartLimits(db.limiter) : unlimitedStarts,
    },
    { clock, random, settings: paymentSettings(config, secrets, settings.current) },
  );
  const sessionSecrets = secrets.sessionSecrets ?? [developmentSecret(`${options.dataDirectory}/session-secret`, 48)];
  await services.secondFactor?.sealStoredSecrets(db.queries, sessionSecrets);
  const adminPassword = await createFirstAdmin(config, secrets, options, db.queries);
  if (!config.production) await addSampleCatalog(config, checkout);
  const shutdown = new AbortController();
  const untilWritten = waitForWrites(checkout, shutdown.signal);
  return {
    checkout,
    shutdown,
    adminPassword,
    web: {
      checkout,
      config,
      secrets: { features: secrets.features, webhookAuth: secrets.webhookAuth, sessionSecrets },
      ...DIRECTORIES,
      settings,
      sendMail: mails.sendMail,
      assetUrl,
      ...services,
      ...pagesOfParts(config),
      shutdown: shutdown.signal,
    },
    async [Symbol.asyncDispose]() {
      shutdown.abort();
      await untilWritten();
      await checkout.payments[Symbol.asyncDispose]();
      mailer[Symbol.dispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

async function migrate(db: Database, log: EventLog): Promise<void> {
  const unknown = await db.migrate();
  if (unknown.length > 0) log.warn('database.newer_found', { migrations: unknown.join(' ') });
}

/** In production a process does not start with sample texts. */
function sampleTexts({ production, locales }: Config) {
  return async (stored: StoredSettings) => {
    if (!production) return [];
    await parseStoredTexts({ stored, valuesIn: () => ({}), assetUrl: asWritten }, locales);
    return findSampleTexts(contentDirectory, locales, stored);
  };
}

/** Without the feature that offers refunds, the shop behaves as with `REFUNDS=off`. */
function withOfferedRefunds(config: Config): Config {
  return FEATURES.some(({ offersRefunds }) => offersRefunds) ? config : { ...config, refunds: 'off' };
}

function warnOfSecrets(secrets: Secrets, log: EventLog): void {
  for (const { setting, count } of countSecretValues(secrets))
    if (count > 1) log.warn('secret.older_accepted', { setting, count });
  if (secrets.webhookAuth?.scheme === 'none') log.warn('webhook.authentication_disabled');
}

/** What the payments need of the settings of the shop. */
function paymentSettings(
  config: Config,
  { apiKey, signingSecret }: Secrets,
  current: () => CurrentShop,
): PaymentSettings {
  const brandColor = () => current().brandColor;
  const partialRefunds = () => current().configChanges.partialRefunds ?? config.partialRefunds;
  return { ...config.payments, ...config, apiKey, signingSecret, brandColor, partialRefunds };
}

interface CheckoutOptions extends Required<Pick<ContextOptions, 'clock' | 'random'>> {
  readonly settings: PaymentSettings;
}

/** Creates the payments with the shop as their host, and the context of the use cases, which has both. */
function openCheckout(parts: ShopParts, { clock, random, settings }: CheckoutOptions): CheckoutContext {
  // The jobs and loops of the host use the context that is created last.
  const contextOf = (): CheckoutContext => checkout;
  const { db: database, log, observer } = parts;
  const payments = createPayments<Schema>({
    database,
    settings,
    host: createShopHost({ ...parts, clock }, contextOf),
    clock,
    random,
    log,
    observer,
    loops: boundLoops(parts.shopLoops, contextOf),
  });
  const checkout: CheckoutContext = { ...payments.context, ...parts, payments };
  return checkout;
}

const EXPIRY: ShopLoop = {
  name: 'expiry',
  maxBatches: 1,
  pauseMs: 10 * 60 * 1000,
  process: deleteExpiredShopRows,
};

/** Adds the first user of the back office, and returns its password. Development has a generated one. */
async function createFirstAdmin(
  { production }: Config,
  { adminPassword }: Secrets,
  { clock, dataDirectory }: ContextOptions,
  queries: Db,
): Promise<string | undefined> {
  const generated = adminPassword === undefined;
  if (generated && production) return undefined;
  const password = adminPassword ?? developmentSecret(`${dataDirectory}/admin-password`, 12);
  await addFirstAdminUser(queries, { password, generated }, clock.now());
  const admin = await findAdminUserByName(queries, 'admin');
  // Each change of a user increments the version.
  return admin?.sessionVersion === 1 ? password : undefined;
}

/** Returns what the features add to pages of the core. */
function pagesOfParts({ paymentFlows }: Config): Pick<WebContext, 'flows' | 'footLinks' | 'orderJobKeys' | 'slots'> {
  return {
    flows: FLOWS.filter(({ id }) => paymentFlows.includes(id)),
    slots: FEATURES.flatMap(({ slots }) => slots ?? []),
    footLinks: FEATURES.flatMap(({ footLink }) => footLink ?? []),
    orderJobKeys,
  };
}

/** Returns the keys of the outbox jobs of an order that its page in the back office shows. */
async function orderJobKeys(queries: Db, orderId: string): Promise<readonly string[]> {
  const keys = await Promise.all(FEATURES.map((feature) => feature.orderJobKeys?.(queries, orderId) ?? []));
  return [...PAID_JOBS.map((job) => jobKey(job, orderId)), ...keys.flat()];
}

type FromFeatures = Pick<CheckoutContext, 'jobs' | 'shopLoops'>;

/** Returns what the features add to the use cases. */
function fromFeatures({ sendToCustomer, sendToMerchant, sendMail }: Mails): FromFeatures {
  return {
    jobs: {
      ...SHOP_JOBS,
      ...Object.fromEntries(
        FEATURES.flatMap((feature) => Object.entries(feature.jobs?.(sendToCustomer, sendToMerchant) ?? {})),
      ),
    },
    shopLoops: FEATURES.flatMap((feature) => feature.loops?.(sendMail) ?? []),
  };
}

async function addSampleCatalog({ locales }: Config, { db, clock }: CheckoutContext): Promise<void> {
  const file = join(projectRoot, 'sample/products.csv');
  // `npm run setup` deletes it on request.
  if (!existsSync(file)) return;
  const hasPicture = (path: string) => existsSync(join(DIRECTORIES.publicDirectory, path));
  const options = { at: clock.now(), locale: locales[0], hasPicture };
  await importSampleCatalog(db, file, options);
}
