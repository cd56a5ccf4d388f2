/** What the pages of a payment link show. They show no personal data, and reading them writes nothing. */

import type { Db } from '../../db/database.js';
import { findOrder, findOrderLines, type Order } from '../../db/orders.js';
import { isOnSale } from '../../db/stock.js';
import { findAttempts, nextCardTime, type PayableState, payableStateOf } from '../../payments/index.js';
import { ownershipMarkOf } from '../../shop/order-ownership.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { PERSON_FIELD_NAMES } from '../../shop/rules/contact.js';
import { withTotals } from '../../view-models/order-lines.js';
import { contactFields, fieldErrors, type TypedForm } from '../../web/contact-fields.js';
import { orderPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { payLinkPath } from './paths.js';

/** Whether the order can be paid from its link, or why not. */
export type LinkState = PayableState | 'soldOut';

export interface LinkFacts {
  readonly order: Order;
  readonly state: LinkState;
  readonly lines: readonly OrderLine[];
  /** When the session may try a card, in milliseconds since 1970. `Infinity`: never again. */
  readonly cardsFrom: number;
  /** The order that replaced it, if it did and the session owns that one. */
  readonly successor: Order | undefined;
  /** The session owns the order. */
  readonly isOwn: boolean;
  readonly at: number;
}

/** Reads what the link of an order shows. Calls no gateway. */
export async function readLink(
  { checkout }: RequestContext,
  order: Order,
  ownershipMarks: readonly string[],
): Promise<LinkFacts> {
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const successor = order.supersededBy === null ? undefined : await findOrder(queries, order.supersededBy);
  const owns = (each: Order) => ownershipMarks.includes(ownershipMarkOf(each));
  const isOwn = owns(order);
  return {
    order,
    state: await linkState(queries, order, at),
    lines: await findOrderLines(queries, order.id),
    cardsFrom: isOwn ? at : nextCardTime(await findAttempts(queries, order.id)),
    successor: successor && owns(successor) ? successor : undefined,
    isOwn,
    at,
  };
}

async function linkState(queries: Db, order: Order, at: number): Promise<LinkState> {
  const state = await payableStateOf(queries, order, at);
  return state === 'open' && !(await isOnSale(queries, order, at)) ? 'soldOut' : state;
}

/** A form of the link to send: its status and what it shows beside the order. */
export interface LinkAnswer {
  readonly status: number;
  readonly typed: TypedForm;
  readonly payAgain: boolean;
  readonly notice?: string | undefined;
  /** A limit refused the payment. The page shows the seconds until `retryAt`. */
  readonly isLimited?: boolean;
  /** When the customer may try again, in milliseconds since 1970. */
  readonly retryAt?: number;
  readonly cardError?: string | undefined;
}

/** Builds the model of views/pay-link/pay.ejs and views/pay-link/pay-card.ejs. */
export function payPage(
  i18n: RequestContext,
  { order, state, lines, cardsFrom, successor, isOwn, at }: LinkFacts,
  { typed, payAgain, notice, cardError }: LinkAnswer,
) {
  const { t, moment, money, tax, config } = i18n;
  const href = payLinkPath(order);
  const isOpen = state === 'open';
  const hasCard = config.paymentFlows.includes('card') && cardsFrom < Infinity;
  const cardLimit =
    cardsFrom === Infinity ? t('payLink.noMoreCards') : t('payLink.cardsFrom', { time: moment(cardsFrom) });
  const notices = [
    ...(payAgain && isOpen ? [t('notices.payAgain')] : []),
    ...(notice === undefined ? [] : [notice]),
    ...(isOpen && at < cardsFrom && config.paymentFlows.includes('card') ? [cardLimit] : []),
  ];
  const person = isOwn ? [] : PERSON_FIELD_NAMES;
  return {
    href,
    orderHref: orderPath(order),
    number: order.number,
    state,
    isOpen,
    heading: t(`payLink.states.${state}.heading`),
    text: t(`payLink.states.${state}.text`, { number: order.number, total: money(order.total) }),
    lines: withTotals(lines),
    total: order.total,
    tax: tax(lines),
    until: isOpen && order.payableUntil !== null ? t('payLink.until', { time: moment(order.payableUntil) }) : undefined,
    // The receipt goes to the customer of the order.
    fields: isOpen ? contactFields(i18n, typed, person).map((field) => ({ ...field, hint: undefined })) : [],
    errors: isOpen ? fieldErrors(i18n, typed, person) : [],
    payAgain,
    notices,
    hasHosted: isOpen && config.paymentFlows.includes('hosted'),
    hasCard: isOpen && hasCard,
    payLabel: t('card.pay', { total: money(order.total) }),
    offersCart: state === 'soldOut',
    mayCancel: isOpen && isOwn,
    version: String(order.version),
    actions: actionsOf(i18n, order, state, successor),
    cardError,
    tokenizerUrl: config.payments.tokenizerUrl,
    accessTokenPath: `${href}/card/access-token`,
  };
}

function actionsOf({ t, publicPath }: RequestContext, order: Order, state: LinkState, successor: Order | undefined) {
  if (state === 'open' || state === 'soldOut') return [];
  if (successor) return [{ label: t('payLink.newer'), href: orderPath(successor) }];
  if (state === 'paid' || state === 'waiting') return [{ label: t('payLink.order'), href: orderPath(order) }];
  return [{ label: t('actions.shop'), href: publicPath('/') }];
}
