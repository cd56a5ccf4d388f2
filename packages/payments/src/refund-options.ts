/** Which payments of an order may be refunded, and in which way. */

import { HostFailedError, hostFailureFields, tryHost } from './call-host.js';
import type { PaymentConfig, PaymentContext } from './context.js';
import { type Attempt, hasGatewayId, isGatewayAttempt } from './rules/attempt.js';
import type { Centavos } from './rules/money.js';
import { isInFlight, REFUND_WAYS, type RefundWay, refundable } from './rules/refund.js';
import { findAttempts } from './store/attempts.js';
import type { Db, Transaction } from './store/database.js';
import type { Order } from './store/orders.js';
import { findRefunds, type Refund } from './store/refunds.js';

/** A payment of which something may be refunded. */
interface Refundable {
  readonly attempt: Attempt;
  /** The ways that its flow and `REFUNDS` allow. */
  readonly ways: readonly (RefundWay | 'reversal')[];
  /** The confirmed amount minus all refunds that are not refused. */
  readonly limit: Centavos;
  /** The refund of this attempt whose outcome is not known. While it exists, no other is allowed. */
  readonly inFlight: Refund | undefined;
  readonly hasChargeback: boolean;
  /** An earlier refund was made without a return of the goods. None of them returns with a later one. */
  readonly hasRefundWithoutGoods: boolean;
}

export interface RefundOption extends Refundable {
  /** Whether a refund of the whole limit may return the goods, all of them. */
  readonly mayReturnGoods: boolean;
}

/** Returns whether a confirmed payment of the order may be refunded or reversed. Does not ask the host. */
export async function isRefundable(
  queries: Db,
  { config }: Pick<PaymentContext, 'config'>,
  order: Order,
): Promise<boolean> {
  return (await findRefundable(queries, config, order)).some(({ limit }) => limit > 0);
}

/** Returns the attempts of an order that may be refunded. With `REFUNDS=off` only payments past the gateway. */
export async function findRefundOptions(
  queries: Db,
  context: Pick<PaymentContext, 'config' | 'host' | 'log'>,
  order: Order,
): Promise<readonly RefundOption[]> {
  const refundables = await findRefundable(queries, context.config, order);
  if (refundables.length === 0) return [];
  const hasGoods = order.paidAttemptId !== null && !(await lacksGoods(queries, context, order));
  return refundables.map((each) => ({
    ...each,
    mayReturnGoods:
      hasGoods && each.attempt.id === order.paidAttemptId && !each.hasChargeback && !each.hasRefundWithoutGoods,
  }));
}

/** The goods of a host that fails cannot come back. */
async function lacksGoods(
  queries: Db | Transaction,
  { host, log }: Pick<PaymentContext, 'host' | 'log'>,
  order: Order,
): Promise<boolean> {
  const ask = () => host.lacksGoods(queries, order);
  const failed = (error: unknown) => new HostFailedError('lacksGoods', error);
  // A page asks without a transaction.
  const answer = 'savepoint' in queries ? await tryHost(queries, 'lacksGoods', ask) : await ask().catch(failed);
  if (!(answer instanceof HostFailedError)) return answer;
  log.error('host.change_failed', { order: order.number, ...hostFailureFields(answer) });
  return true;
}

async function findRefundable(queries: Db, config: PaymentConfig, order: Order): Promise<readonly Refundable[]> {
  const refunds = await findRefunds(queries, order.id);
  const attempts = (await findAttempts(queries, order.id)).filter(hasConfirmedPayment);
  const refundables = attempts.map((attempt) => {
    const own = refunds.filter(({ attemptId }) => attemptId === attempt.id);
    return {
      attempt,
      ways: waysOf(attempt, config, own.length > 0),
      limit: refundable(attempt.confirmedAmount, own),
      inFlight: own.find(({ state }) => isInFlight(state)),
      hasChargeback: own.some(({ kind }) => kind === 'chargeback'),
      hasRefundWithoutGoods: own.some(
        ({ kind, state, returnsStock }) => kind === 'refund' && state !== 'refused' && returnsStock === 0,
      ),
    };
  });
  return refundables.filter(({ ways }) => ways.length > 0);
}

/** A payment past the gateway can be reversed as a whole, also with `REFUNDS=off`. */
function waysOf(
  attempt: Attempt,
  { environment, refunds: mode }: PaymentConfig,
  hasRefunds: boolean,
): Refundable['ways'] {
  const isOutside = attempt.flow === 'outside';
  if (isOutside && !hasRefunds) return mode === 'off' ? ['reversal'] : ['record', 'reversal'];
  if (mode === 'off') return [];
  const isCallable = attempt.flow === 'card' && attempt.environment === environment;
  if (mode === 'gateway' && isCallable) return REFUND_WAYS;
  return isOutside ? ['record'] : ['record', 'chargeback'];
}

/** A refunded attempt has no money left, also if its refund was only decided and has no row. */
function hasConfirmedPayment(attempt: Attempt): boolean {
  const { state, confirmedAmount } = attempt;
  const isKnown = !isGatewayAttempt(attempt) || hasGatewayId(attempt);
  return (state === 'paid' || state === 'review') && confirmedAmount !== null && isKnown;
}
