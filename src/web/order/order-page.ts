import { helpLink } from '../../locales/brand-links.js';
import { discountRow } from '../../locales/discount-row.js';
import { orderFacts } from '../../locales/order-facts.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import type { Order } from '../../tables/orders.js';
import { orderPath, orderStatusPath, paths } from '../paths.js';
import type { PageI18n, RequestContext } from '../request-context.js';
import { withTotals } from './order-lines.js';
import type { OrderParts, OwnDetail } from './order-parts.js';
import { paidOutside, returnedMoney, secondPayment, stateTexts } from './order-texts.js';
import { orderView, type StateFacts } from './order-view.js';

const ACTION_PATHS = { cart: paths.cart, shop: paths.home } as const;

/** Builds the model of views/order.ejs. Without `own` it has no personal data, and its actions are those of any holder of the link. */
export function orderPage(
  i18n: PageI18n & Pick<RequestContext, 'brand'>,
  order: Order,
  facts: StateFacts,
  parts: OrderParts,
) {
  const { t, publicPath } = i18n;
  const view = orderView(facts);
  const { key, tone, actions } = view;
  const { own, payPath, sections } = parts;
  // Otherwise the state of the payment matters more than that of the goods.
  const lead = key === 'paid' ? sections.flatMap((section) => section.lead ?? [])[0] : undefined;
  const { tryAgainPath = paths.checkout } = own ?? {};
  const stateLinks = actions.map((action) => ({
    label: t(`actions.${action}`),
    href: publicPath(action === 'tryAgain' ? tryAgainPath : ACTION_PATHS[action]),
  }));
  const newer = parts.correction ? [{ label: t('actions.newerOrder'), href: orderPath(parts.correction) }] : [];
  const paymentLinks = [
    ...(own?.paymentPage ? [pageLink(i18n, own.paymentPage)] : []),
    ...(own?.mayPayAnotherWay ? [{ label: t('actions.payAnotherWay'), href: own.payAgainPath }] : []),
  ];
  const linkActions = [
    ...(payPath === undefined ? [] : [{ label: t('actions.payOrder'), href: payPath }]),
    { label: t('actions.shop'), href: publicPath(paths.home) },
  ];
  return {
    number: order.number,
    state: order.state,
    total: order.total,
    tone: lead?.tone ?? tone,
    icon: lead?.icon ?? view.icon ?? tone,
    heading: lead?.heading ?? t(`states.${key}.heading`),
    paragraphs: [
      ...(lead ? [...lead.paragraphs, ...returnedMoney(i18n, facts)] : stateTexts(i18n, view, facts, parts)),
      ...(parts.correction ? [t('order.corrected', { number: parts.correction.number })] : []),
      ...parts.boughtAgain.notices,
      ...paidOutside(i18n, facts),
      ...secondPayment(i18n, order, facts),
    ],
    facts: lead?.facts ?? [],
    /** Printed, it is the receipt of a payment. */
    isReceipt: own !== undefined && key === 'paid',
    statusPath: orderStatusPath(order),
    actions: [...newer, ...parts.boughtAgain.links, ...(own ? [...paymentLinks, ...stateLinks] : linkActions)],
    leadAction: lead?.action,
    help: helpLink(i18n.brand, i18n, order.number),
    sections: sections.filter((section) => !lead || section.lead !== lead),
    detail: detailOf(i18n, order, parts.lines),
    person: own && personOf(i18n, order),
  };
}

function pageLink({ t }: PageI18n, { url, flow }: NonNullable<OwnDetail['paymentPage']>) {
  return { label: t(flow === 'card' ? 'actions.continueAtBank' : 'actions.continuePayment'), href: url };
}

/** Returns what was bought, and when. Every holder of the link sees it. */
function detailOf(i18n: PageI18n, order: Order, lines: readonly OrderLine[]) {
  const { t, tax, moment } = i18n;
  const { createdAt, paidAt } = order;
  const placed = moment(createdAt);
  const paid = paidAt === null ? '' : moment(paidAt);
  return {
    // An order is usually paid within the minute of its placement.
    times: [
      ...(placed === paid ? [] : [{ label: t('order.placedAt'), moment: placed }]),
      ...(paid === '' ? [] : [{ label: t('order.paidAt'), moment: paid }]),
    ],
    lines: withTotals(lines),
    discount: discountRow(i18n, order.discountCode, lines),
    tax: tax(lines),
  };
}

/** Returns the personal data, and where the order is delivered. */
function personOf(i18n: PageI18n, order: Order) {
  const { name, email, shipping, address, others } = orderFacts(i18n, order, 'customer');
  return [name, email, shipping, address, ...others].filter(({ lines }) => lines.length > 0);
}
