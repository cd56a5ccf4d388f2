/** What the pages of a payment link show. They show no personal data, and reading them writes nothing. */

import { findAttempts, type PayableState, payableStateOf } from '@tianguis/payments/back-office';
import { type Attempt, isOffered } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { discountRow } from '../../locales/discount-row.js';
import { ownershipMarkOf } from '../../shop/order-ownership.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { isErased, PERSON_FIELD_NAMES } from '../../shop/rules/contact.js';
import { isClosedFor } from '../../shop/rules/shop-settings.js';
import type { ClientKeys } from '../../shop/rules/stock.js';
import type { Db } from '../../tables/database.js';
import { findCorrection, findOrder, findOrderLines, type Order } from '../../tables/orders.js';
import type { FormAnswer } from '../../web/checkout-form.js';
import { clientKeysOf } from '../../web/client-address.js';
import { contactFields, fieldErrors } from '../../web/contact-fields.js';
import { type FlowPages, flowForm, formPathOf } from '../../web/flow-pages.js';
import { type BoughtAgain, boughtAgain } from '../../web/order/bought-again.js';
import { withTotals } from '../../web/order/order-lines.js';
import { orderPath } from '../../web/paths.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { isOnSale } from './is-on-sale.js';
import { payLinkPath } from './paths.js';

/** Whether the order can be paid from its link, or why not. */
export type LinkState = PayableState | 'soldOut' | 'codeEnded' | 'closed';

export interface LinkFacts {
  readonly order: Order;
  readonly state: LinkState;
  readonly lines: readonly OrderLine[];
  /** Without those of a session that owns the order, to which no limit for others applies. */
  readonly attempts: readonly Attempt[];
  /** The order that replaced it, if the session owns that one, or if it corrects this one. */
  readonly successor: Order | undefined;
  /** The fields about the person who pays. */
  readonly asked: typeof PERSON_FIELD_NAMES;
  /** The session owns the order. */
  readonly isOwn: boolean;
  readonly boughtAgain: BoughtAgain;
  /** The shop is closed: only a page that is open can be paid. */
  readonly isClosed: boolean;
  readonly at: number;
}

/** Reads what the link of an order shows. Calls no gateway. */
export async function readLink(res: Response, order: Order, ownershipMarks: readonly string[]): Promise<LinkFacts> {
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const successor = order.supersededBy === null ? undefined : await findOrder(queries, order.supersededBy);
  const owns = (each: Order) => ownershipMarks.includes(ownershipMarkOf(each));
  const isOwn = owns(order);
  return {
    order,
    state: await linkState(contextOf(res), order, { client: clientKeysOf(res), at }),
    lines: await findOrderLines(queries, order.id),
    attempts: isOwn ? [] : await findAttempts(queries, order.id),
    successor: successor && owns(successor) ? successor : await findCorrection(queries, order),
    asked: isOwn ? [] : await findAskedFields(queries, order),
    isOwn,
    boughtAgain: await boughtAgain(res, order),
    isClosed: isClosedFor(order, contextOf(res), at),
    at,
  };
}

async function linkState(
  context: RequestContext,
  order: Order,
  request: { readonly client: ClientKeys | undefined; readonly at: number },
): Promise<LinkState> {
  const { at } = request;
  const { db, discountCodes } = context.checkout;
  const { queries } = db;
  const state = await payableStateOf(queries, order, at);
  if (state !== 'open') return state;
  if (isClosedFor(order, context, at) && !(await hasOpenPage(queries, order, at))) return 'closed';
  if (!(await isOnSale(queries, order, at))) return 'soldOut';
  const isOffered = order.discountCode === null || (await discountCodes?.isAvailable(queries, order, request));
  return isOffered ? state : 'codeEnded';
}

async function hasOpenPage(queries: Db, { id }: Order, at: number): Promise<boolean> {
  return (await findAttempts(queries, id)).some((attempt) => isOffered(attempt, at));
}

/** A form of the link to send: its status and what it shows beside the order. */
export interface LinkAnswer extends Omit<FormAnswer, 'seen'> {
  readonly payAgain: boolean;
  /** A limit refused the payment. The page shows the seconds until `retryAt`. */
  readonly isLimited?: boolean;
}

/** Returns the payment flows by which the session may pay the order, now or later, and from when on. */
function openFlows({ flows }: RequestContext, { isOwn, isClosed, attempts, at }: LinkFacts) {
  const fromOf = ({ limitForOthers }: FlowPages) => (isOwn ? at : (limitForOthers?.from(attempts) ?? at));
  const offered = flows.filter(({ paysAtOnce }) => !isClosed || !paysAtOnce);
  return offered.map((flow) => ({ flow, from: fromOf(flow) }));
}

/**
 * Returns what a person without ownership fills in. The merchant typed the data of the customer of a merchant's order: it is
 * used for the payment, and never shown. The gateway needs an e-mail address.
 */
export async function findAskedFields(queries: Db, order: Order): Promise<typeof PERSON_FIELD_NAMES> {
  if (isErased(order) || !(await isMerchantOrder(queries, order))) return PERSON_FIELD_NAMES;
  return order.email === '' ? ['email'] : [];
}

/** Returns whether the merchant placed the order for the customer, or corrected such an order. No customer's cart became it. */
async function isMerchantOrder(queries: Db, { id, cartId }: Order): Promise<boolean> {
  return cartId === id || (await findOrder(queries, cartId)) !== undefined;
}

/** Builds the model of src/features/pay-link/views/pay.ejs, and with an open `flow` that of src/features/pay-link/views/form.ejs. */
export function payPage(i18n: RequestContext, facts: LinkFacts, answer: LinkAnswer, flow?: FlowPages) {
  const { order, state, lines, successor, boughtAgain, asked: person, isOwn, at } = facts;
  const { typed, payAgain, notices: answered = [], problem } = answer;
  const { t, moment, money, tax } = i18n;
  const isOpen = state === 'open';
  const href = payLinkPath(order);
  const offered = isOpen ? openFlows(i18n, facts) : [];
  const limited = offered.filter(({ from }) => at < from);
  const notices = [
    ...boughtAgain.notices,
    ...(payAgain && isOpen ? [t('notices.payAgain')] : []),
    ...answered,
    ...limited.flatMap(({ flow: { limitForOthers }, from }) => limitForOthers?.text(i18n, from) ?? []),
  ];
  const forms = offered
    .filter(({ from }) => from < Infinity)
    .map((each) => ({
      ...flowForm(i18n, each.flow, href),
      href: payAgain ? `${formPathOf(each.flow, href)}?pay_again=1` : formPathOf(each.flow, href),
      isOnPage: each.flow.formPath === '',
    }));
  const values = { number: order.number, total: money(order.total), code: order.discountCode ?? '' };
  return {
    href,
    orderHref: orderPath(order),
    number: order.number,
    state,
    heading: t(`payLink.states.${state}.heading`, values),
    text: t(`payLink.states.${state}.text`, values),
    lines: withTotals(lines),
    discount: discountRow(i18n, order.discountCode, lines),
    total: order.total,
    totalText: money(order.total),
    tax: tax(lines),
    until: isOpen && order.payableUntil !== null ? t('payLink.until', { time: moment(order.payableUntil) }) : undefined,
    // The receipt goes to the customer of the order.
    fields: isOpen ? contactFields(i18n, typed, person).map((field) => ({ ...field, hint: undefined })) : [],
    payerHint: t(person.length === 1 ? 'payLink.emailHint' : 'payLink.payerHint'),
    errors: isOpen ? fieldErrors(i18n, typed, person) : [],
    payAgain,
    notices,
    /** The form of the page. Absent on the first page of the link. */
    flow: forms.find(({ id, isOnPage }) => id === flow?.id && !isOnPage),
    others: forms.filter(({ id }) => id !== flow?.id),
    forms: forms.filter(({ isOnPage }) => isOnPage),
    links: forms.filter(({ isOnPage }) => !isOnPage),
    problem,
    offersCart: state === 'soldOut' || state === 'codeEnded',
    mayCancel: isOpen && isOwn,
    version: String(order.version),
    actions: [...boughtAgain.links, ...actionsOf(i18n, order, state, successor)],
  };
}

function actionsOf({ t, publicPath }: RequestContext, order: Order, state: LinkState, successor: Order | undefined) {
  if (state === 'open' || state === 'soldOut' || state === 'codeEnded') return [];
  if (successor) return [{ label: t('payLink.newer'), href: orderPath(successor) }];
  if (state === 'paid' || state === 'waiting') return [{ label: t('payLink.order'), href: orderPath(order) }];
  return [{ label: t('actions.shop'), href: publicPath('/') }];
}
