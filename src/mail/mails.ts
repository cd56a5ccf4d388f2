import type { CheckoutContext, PaidOrder, RefundedOrder, ShippedOrder } from '../checkout/context.js';
import { findTranslatedLines } from '../checkout/find-translated-lines.js';
import { trackingLink } from '../domain/fulfillment.js';
import type { Locale } from '../domain/locale.js';
import { times } from '../domain/money.js';
import type { ReviewReason } from '../domain/order.js';
import { addressLines } from '../locales/address.js';
import { brand } from '../locales/brand.js';
import { formatMoment, formatMoney, formatTax } from '../locales/format.js';
import type { Translate, Translations } from '../locales/translations.js';
import type { MailContent, MailLink, RenderMail } from './mail-template.js';
import type { Mailer } from './mailer.js';

type Order = PaidOrder['order'];

interface MailParts {
  readonly config: {
    /** The shop's own address, without a trailing slash. */
    readonly publicUrl: string;
    readonly merchantEmail: string | undefined;
    readonly locales: readonly [Locale, ...Locale[]];
  };
  readonly db: CheckoutContext['db'];
  readonly mailer: Mailer;
  readonly translations: Translations;
  readonly renderMail: RenderMail;
}

type Mails = Pick<
  CheckoutContext,
  'sendReceipt' | 'sendOrderLink' | 'sendShipped' | 'sendRefunded' | 'notifyMerchant'
>;

/** The parts of a mail that are the same in all mails about an order. A mail may replace its lines and its link. */
type Frame = Pick<MailContent, 'lang' | 'shop' | 'columns' | 'total' | 'lines' | 'link' | 'merchant'>;
type Content = Omit<MailContent, keyof Frame> & Partial<Frame>;

/** Returns the senders of all mails. Customers get the locale of the order, the merchant the first one of the shop. */
export function createMails({ config, db, mailer, translations, renderMail }: MailParts): Mails {
  const send = (to: string, key: string, content: MailContent) =>
    mailer.send({
      to,
      subject: content.subject,
      ...renderMail(content),
      key: key.replace(/[^\w.-]/g, '.'),
    });
  const frame = (order: Order, locale: Locale, t: Translate): Frame => ({
    lang: locale,
    shop: t('site.name'),
    columns: {
      what: t('receipt.what'),
      amount: t('receipt.amount'),
      total: t('order.total'),
      tax: t('summary.tax'),
    },
    total: formatMoney(order.total, locale),
    lines: [],
    merchant: Object.values(brand.merchant),
    link: { label: t('receipt.link'), href: `${config.publicUrl}/orders/${order.token}` },
  });
  const sendToCustomer = (order: Order, key: string, compose: (t: Translate, link: MailLink) => Content) => {
    const t = translations.in(order.locale);
    const common = frame(order, order.locale, t);
    return send(order.email, key, { ...common, ...compose(t, common.link) });
  };
  return {
    sendReceipt: (paid) => sendToCustomer(paid.order, paid.key, (t) => receipt(paid, t)),
    sendOrderLink: (order, key) => sendToCustomer(order, key, (t) => orderLink(order, t)),
    sendShipped: (shipped) =>
      sendToCustomer(shipped.order, shipped.key, (t, link) => shipping(shipped, link, t)),
    sendRefunded: (refunded) => sendToCustomer(refunded.order, refunded.key, (t) => refund(refunded, t)),
    async notifyMerchant({ order, lines, key }, reviewReason) {
      // The setting may have been removed after the job was queued.
      if (config.merchantEmail === undefined) return;
      const [locale] = config.locales;
      const t = translations.in(locale);
      const translated = (await findTranslatedLines(db.queries, [order], locale)).get(order.id) ?? lines;
      const common = frame(order, locale, t);
      await send(config.merchantEmail, key, {
        ...common,
        ...notification(order, common.total, reviewReason, t),
        lines: mailLines(translated, locale),
        tax: formatTax(translated, locale),
        // Never the customer's link: it holds the order token.
        link: { label: t('merchantMail.link'), href: `${config.publicUrl}/admin/orders/${order.number}` },
      });
    },
  };
}

function receipt({ order, lines, stockTaken }: PaidOrder, t: Translate): Content {
  const paid = t('receipt.paid', { number: order.number, total: formatMoney(order.total, order.locale) });
  return {
    subject: t('receipt.subject', { number: order.number }),
    preview: paid,
    heading: t('receipt.heading', { name: order.firstName }),
    paragraphs: [
      paid,
      ...(order.paidAt === null ? [] : [formatMoment(order.paidAt, order.locale)]),
      t(stockTaken ? 'receipt.next' : 'receipt.oversold'),
      ...deliveryText(order, t),
    ],
    lines: mailLines(lines, order.locale),
    tax: formatTax(lines, order.locale),
    closing: t('receipt.closing'),
  };
}

function deliveryText(order: Order, t: Translate): readonly string[] {
  const address = addressLines(t, order).join(', ');
  if (address !== '') return [t('receipt.delivery', { address })];
  return order.shippingOption === 'pickup' ? [t('receipt.pickup')] : [];
}

function orderLink({ number }: Order, t: Translate): Content {
  return {
    subject: t('orderLink.subject', { number }),
    preview: t('orderLink.asked'),
    heading: t('orderLink.heading', { number }),
    paragraphs: [t('orderLink.asked')],
    closing: t('orderLink.notYou'),
  };
}

/** With the carrier's tracking link if there is one. */
function shipping({ order, shipment }: ShippedOrder, link: MailLink, t: Translate): Content {
  const { number, firstName } = order;
  const { carrier, trackingNumber } = shipment;
  const tracking = trackingLink(shipment);
  const sent =
    carrier === 'other'
      ? t('shipped.sent', { number })
      : t('shipped.sentBy', { number, carrier: t(`fulfillment.carriers.${carrier}`) });
  return {
    subject: t('shipped.subject', { number }),
    preview: sent,
    heading: t('shipped.heading', { name: firstName }),
    paragraphs: [sent, ...(trackingNumber === '' ? [] : [t('shipped.trackingNumber', { trackingNumber })])],
    ...(tracking && { link: { label: t('fulfillment.track'), href: tracking }, secondLink: link }),
    closing: t('shipped.closing'),
  };
}

function refund(
  { order, refund: { amount }, isPaymentOfOrder, isFull }: RefundedOrder,
  t: Translate,
): Content {
  const { number, firstName, locale } = order;
  const returned = t('refundMail.returned', { number, amount: formatMoney(amount, locale) });
  const explained = !isPaymentOfOrder ? 'extra' : isFull ? 'full' : 'partial';
  return {
    subject: t('refundMail.subject', { number }),
    preview: returned,
    heading: t('refundMail.heading', { name: firstName }),
    // An order that was never paid needs no explanation: its page says that it is closed.
    paragraphs: [
      returned,
      ...(order.state === 'paid' ? [t(`refundMail.${explained}`)] : []),
      t('refundMail.when'),
    ],
    closing: t('refundMail.closing'),
  };
}

/** The merchant's mail about an order that was paid, or that needs review for this reason. */
function notification(
  order: Order,
  total: string,
  reviewReason: ReviewReason | undefined,
  t: Translate,
): Content {
  const { number, firstName, lastName, email } = order;
  const heading = t(reviewReason ? 'merchantMail.review' : 'merchantMail.paid', { number });
  const reason = reviewReason && t(`admin.reasons.${reviewReason}`);
  return {
    subject: `${heading}: ${total}`,
    preview: reason ?? heading,
    heading,
    paragraphs: [
      ...(reason ? [reason] : []),
      t('merchantMail.state', { state: t(`admin.states.${order.state}`) }),
      // Retention may have removed the customer's data.
      ...(email === '' ? [] : [t('merchantMail.customer', { name: `${firstName} ${lastName}`, email })]),
    ],
    closing: t('merchantMail.closing'),
  };
}

function mailLines(lines: PaidOrder['lines'], locale: Locale): MailContent['lines'] {
  return lines.map(({ name, quantity, unitPrice }) => ({
    name,
    quantity,
    lineTotal: formatMoney(times(unitPrice, quantity), locale),
  }));
}
