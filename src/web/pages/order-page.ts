import type { OrderLine } from '../../core/cart.js';
import { times } from '../../core/money.js';
import type { OrderState } from '../../core/order.js';
import type { Order } from '../../store/orders.js';
import { formatMoment, formatMoney } from '../../words/format.js';
import type { OrderPage, OrderTone } from '../view-models.js';
import type { Reader } from './shop-pages.js';

interface StateFace {
  readonly tone: OrderTone;
  /** Seconds until the page looks again; absent where nothing more is to be expected. */
  readonly refreshSeconds?: number;
  readonly actions: readonly ('tryAgain' | 'cart' | 'shop')[];
}

/** How each state looks. A state without a face does not compile. */
const FACES = {
  created: { tone: 'waiting', actions: ['tryAgain', 'cart'] },
  pending: { tone: 'waiting', refreshSeconds: 3, actions: ['shop'] },
  outcome_unknown: { tone: 'held', refreshSeconds: 15, actions: ['shop'] },
  paid: { tone: 'good', actions: ['shop'] },
  declined: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  expired: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  cancelled: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  review: { tone: 'held', refreshSeconds: 15, actions: ['shop'] },
} as const satisfies Record<OrderState, StateFace>;

const ACTION_PATHS = { tryAgain: '/checkout', cart: '/cart', shop: '/' } as const;

/** What the merchant owes or has given back, which the state alone does not tell. */
export interface MoneyBack {
  /** A payment of this order was given back by hand. */
  readonly refunded: boolean;
}

/** What only the shopper's own session sees. */
export interface OwnDetail {
  readonly lines: readonly OrderLine[];
  /** The open payment page, while it may be used. */
  readonly paymentUrl?: string;
}

/** Seconds after which the page of an order in this state looks again, if it does. */
export function refreshSeconds(state: OrderState): number | undefined {
  const face: StateFace = FACES[state];
  return face.refreshSeconds;
}

/** The order as it stands; without `own`, no personal data and nothing to act on. */
export function orderPage(
  reader: Reader,
  order: Order,
  { own, refunded }: MoneyBack & { readonly own: OwnDetail | undefined },
): OrderPage {
  const { locale, t } = reader;
  const face: StateFace = FACES[order.state];
  const words = refunded && order.state === 'cancelled' ? 'refunded' : order.state;
  const ways = face.actions.map((action) => ({ label: t(`actions.${action}`), href: ACTION_PATHS[action] }));
  const onwards = own?.paymentUrl ? [{ label: t('actions.continuePayment'), href: own.paymentUrl }] : [];
  return {
    number: order.number,
    state: order.state,
    tone: face.tone,
    heading: t(`states.${words}.heading`),
    paragraphs: [
      ...(['what', 'money', 'again'] as const).map((part) => t(`states.${words}.${part}`)),
      ...secondPayment(reader, order, refunded),
    ],
    total: formatMoney(order.total, locale),
    statusPath: `/orders/${order.token}/status`,
    actions: own ? [...onwards, ...ways] : [{ label: t('actions.shop'), href: ACTION_PATHS.shop }],
    ...(own && { detail: detailOf(reader, order, own.lines) }),
  };
}

function secondPayment({ t }: Reader, order: Order, refunded: boolean): readonly string[] {
  if (order.state !== 'paid') return [];
  if (order.attention === 'second_payment') return [t('order.secondPayment')];
  return refunded ? [t('order.secondRefunded')] : [];
}

function detailOf(
  { locale }: Reader,
  order: Order,
  lines: readonly OrderLine[],
): NonNullable<OrderPage['detail']> {
  return {
    lines: lines.map((line) => ({
      name: line.name,
      quantity: line.quantity,
      lineTotal: formatMoney(times(line.unitPrice, line.quantity), locale),
    })),
    name: `${order.firstName} ${order.lastName}`,
    email: order.email,
    placedAt: formatMoment(order.createdAt, locale),
    ...(order.paidAt !== null && { paidAt: formatMoment(order.paidAt, locale) }),
  };
}
