import { findOrderIdsByGatewayNumber, findUnmatchedEvents, type ShownPayment } from '@tianguis/payments/back-office';
import { CURRENCY, maskCardNumbers, numberInReference, readOrderNumber, toPesosText } from '@tianguis/payments/rules';
import { factList } from '../../admin/order/order-record.js';
import { brand } from '../../locales/brand.js';
import { findOrder } from '../../tables/orders.js';
import { adminOrderPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';

const MAX_ROWS = 100;

/** Builds the list of webhook events for which no order was found. Of their texts it shows ids and references only. */
export async function unmatchedList({ checkout, shortMoment }: RequestContext) {
  // One more than the page shows, so that more events are detected.
  const found = await findUnmatchedEvents(checkout.db.queries, MAX_ROWS + 1);
  const rows = found.slice(0, MAX_ROWS).map(({ receivedAt, event, ids, texts }) => ({
    receivedAt: shortMoment(receivedAt),
    event: event === null ? '' : maskCardNumbers(event),
    ids,
    references: texts.filter(isReference),
  }));
  // Without authentication any client could fill the list.
  const isStored = checkout.config.webhooksAuthenticated;
  return { isStored, rows, moreThan: found.length > MAX_ROWS ? MAX_ROWS : undefined };
}

/** Returns whether a text is an order number, or the reference of an attempt. */
function isReference(text: string): boolean {
  return readOrderNumber(numberInReference(text), brand.orderPrefix) !== undefined;
}

export type LookupAnswer = Awaited<ReturnType<typeof lookupAnswer>>;

/** Builds the answer of the gateway, with the order that has the payment, if any. */
export async function lookupAnswer(context: RequestContext, id: string, shown: ShownPayment) {
  const { t, checkout, moment } = context;
  if (shown === 'unreachable') return { text: t('reconciliation.unreachable'), facts: [] };
  if (shown === 'not_found') return { text: t('reconciliation.notFound', { id }), facts: [] };
  const { flow, payment } = shown;
  const { gatewayStatus, reference, paidAt, numbers = {} } = payment;
  const values = {
    flow: t(`admin.flows.${flow}`),
    status: gatewayStatus,
    amount: amountOf(context, payment),
    reference: reference ?? '—',
    paidAt: paidAt === undefined ? '' : moment(paidAt),
    paymentId: numbers.paymentId ?? '',
    transactionId: numbers.transactionId ?? '',
  };
  const { queries } = checkout.db;
  const [orderId = ''] = await findOrderIdsByGatewayNumber(queries, id, 1);
  const order = await findOrder(queries, orderId);
  return {
    text: order ? undefined : t('reconciliation.noOrder'),
    facts: factList(values, (name) => t(`reconciliation.facts.${name}`)),
    order: order && { number: order.number, href: adminOrderPath(order) },
  };
}

function amountOf(
  { money }: RequestContext,
  { amount, currency }: Pick<Exclude<ShownPayment, string>['payment'], 'amount' | 'currency'>,
): string {
  if (amount === undefined) return '—';
  return currency === CURRENCY ? money(amount) : `${toPesosText(amount)} ${currency ?? '—'}`;
}
