import { createHash, randomBytes } from 'node:crypto';
import { createAccountLimits, unlimitedAccount } from './account-limits.js';
import type { Loop, PaymentConfig, PaymentContext } from './context.js';
import type { DatabaseOf } from './database/database.js';
import { tablePrefixOf } from './database/database-prefix.js';
import { withTablePrefix } from './database/table-prefix.js';
import type { GatewaySettings } from './gateway/connection.js';
import { createGateway } from './gateway/gateway.js';
import { fullHostOf, hostWithoutPrefix, type PaymentHost } from './host.js';
import { createLookupBudget, unlimitedLookups } from './lookup-budget.js';
import { type PaymentObserver, publish, silentPayments } from './observer.js';
import { type Payments, paymentsOf } from './payments.js';
import type { Clock } from './rules/clock.js';
import type { PaymentLog } from './rules/payment-log.js';
import type { Random } from './rules/random.js';
import { PAYMENT_TABLES } from './store/table-sql.js';

/** Settings of the payments. All times are milliseconds. */
export interface PaymentSettings
  extends Omit<PaymentConfig, 'environment' | 'keyFingerprint' | 'partialRefunds'>,
    Omit<GatewaySettings, 'random' | 'onCall'> {
  /** Whether a refund may be smaller than what can still be refunded. Each request asks again. */
  partialRefunds(): boolean;
  /** False for load tests: the limits of the gateway's account do not apply. */
  readonly rateLimit: boolean;
}

export interface PaymentOptions<T> {
  readonly database: DatabaseOf<T>;
  readonly settings: PaymentSettings;
  readonly host: PaymentHost<T>;
  /** Default: that of this machine. */
  readonly clock?: Clock | undefined;
  /** Default: `randomBytes` of `node:crypto`. */
  readonly random?: Random | undefined;
  readonly log: PaymentLog;
  readonly observer?: PaymentObserver | undefined;
  /** Work of the host that the worker repeats. */
  readonly loops?: readonly Loop[] | undefined;
}

/** Creates the payments of one gateway account. Sends no request. The caller must dispose of them. */
export function createPayments<T>(options: PaymentOptions<T>): Payments<T> {
  const { settings, clock = { now: Date.now }, random = randomBytes, log } = options;
  const { observer = silentPayments, loops = [] } = options;
  // A host in JavaScript would look for its payments in tables without the prefix.
  if ('tablePrefix' in options) throw new Error('tablePrefix is an option of openPaymentDatabase');
  // The use cases get no secret.
  const { apiKey: _apiKey, signingSecret: _signingSecret, ...config } = settings;
  const host = fullHostOf(options.host);
  // Kysely accepts a database with further tables and columns.
  const db = options.database as unknown as PaymentContext['db'];
  const context: PaymentContext = {
    db: withTablePrefix(db, PAYMENT_TABLES),
    host: tablePrefixOf(db.queries) === '' ? host : hostWithoutPrefix(host),
    gateway: createGateway({ ...settings, random, ...gatewayEvents(log, observer) }),
    clock,
    random,
    log,
    observer,
    config: {
      ...config,
      ...identityOf(settings),
      get partialRefunds() {
        return settings.partialRefunds();
      },
    },
    loops,
    lookups: new Map(),
    runningWrites: new Set(),
    accountLimits: settings.rateLimit ? createAccountLimits(options.database.limiter) : unlimitedAccount,
    lookupBudget: settings.rateLimit ? createLookupBudget(options.database.limiter) : unlimitedLookups,
  };
  return paymentsOf<T>(context);
}

/** Returns what attempts store about the gateway account that they belong to. */
export function identityOf({
  baseUrl,
  checkoutApiUrl,
  apiKey,
}: Pick<PaymentSettings, 'baseUrl' | 'checkoutApiUrl' | 'apiKey'>) {
  return {
    environment: `${baseUrl} ${checkoutApiUrl}`,
    keyFingerprint: createHash('sha256').update(apiKey).digest('hex').slice(0, 12),
  };
}

function gatewayEvents(
  log: PaymentLog,
  observer: PaymentObserver,
): Pick<Parameters<typeof createGateway>[0], 'onCall' | 'onKeyChange'> {
  return {
    onCall(call, ms, code) {
      observer.gatewayCalled(call, ms, code);
      publish('call', () => ({ call, durationMs: Math.round(ms), code }));
    },
    onKeyChange: (state, call) =>
      state === 'refused' ? log.error('gateway.key_refused', { call }) : log.info('gateway.key_accepted', { call }),
  };
}
