import { centavos } from '@tianguis/payments/rules';
import type { Config } from '../config/config.js';
import { promisedTime } from '../locales/frozen-shipping.js';
import { type I18n, i18nIn } from '../locales/i18n.js';
import { orderFacts } from '../locales/order-facts.js';
import type { Translations } from '../locales/translations.js';
import type { CheckoutContext, PaidOrder } from '../shop/checkout-context.js';
import { shippingKindOf } from '../shop/rules/frozen-shipping.js';
import type { Locale } from '../shop/rules/locale.js';
import { outsideMethodOf } from '../shop/rules/outside-method.js';
import { adminOrderPath, orderPath } from '../web/paths.js';
import type { MailContent, MailLink, MailShop, RenderMail } from './mail-template.js';
import type { Mail, Mailer } from './mailer.js';

type Order = PaidOrder['order'];

interface MailParts {
  readonly config: Pick<Config, 'publicUrl' | 'merchantEmail' | 'locales'>;
  readonly mailer: Mailer;
  /** Returns the settings of the shop at the time of a mail. */
  current(): MailShop & { readonly translations: Translations };
  readonly renderMail: RenderMail;
}

/** What sends the mails of the core, and with what features send theirs. */
export interface Mails extends Pick<CheckoutContext, 'sendReceipt'> {
  readonly sendToCustomer: SendToCustomer;
  readonly sendToMerchant: SendToMerchant;
  readonly sendMail: SendMail;
}

/** The content of a mail to a customer. The default link is that of the order. */
export type Content = Omit<MailContent, 'total' | 'link'> & Partial<MailContent>;

/** Mails the customer in the locale of the order. `link` is that of the order. Rejects if the mail could not be handed over. */
export type SendToCustomer = (
  order: Order,
  key: string,
  compose: (i18n: I18n, link: MailLink) => Content,
) => Promise<void>;

/** The content of a mail to the merchant. Link and closing are those of all such mails. */
export type MerchantContent = Omit<Content, 'link' | 'closing'>;

/**
 * Mails the merchant in the first locale of the shop. Does nothing without `MERCHANT_EMAIL`. Rejects if the mail could not be
 * handed over.
 */
export type SendToMerchant = (
  order: Order,
  key: string,
  compose: (i18n: I18n) => MerchantContent | Promise<MerchantContent>,
) => Promise<void>;

/** Whom a mail about no order is for. */
interface Recipient {
  readonly to: string;
  readonly locale: Locale;
}

/**
 * Sends a mail that is about no order, with the present messages of the locale. `urlOf` returns the address of a path of the
 * shop. Rejects if the mail could not be handed over.
 */
export type SendMail = (
  recipient: Recipient,
  key: string,
  compose: (i18n: I18n, urlOf: (path: string) => string) => Omit<MailContent, 'total'>,
) => Promise<void>;

/** Returns the senders of all mails. Customers get the locale of the order, the merchant the first one of the shop. */
export function createMails({ config, mailer, current, renderMail }: MailParts): Mails {
  const send = (
    addresses: Pick<Mail, 'to' | 'replyTo'>,
    { key, content, i18n }: { readonly key: string; readonly content: MailContent; readonly i18n: I18n },
  ) => {
    const { subject, attachments } = content;
    return mailer.send({
      ...addresses,
      senderName: current().brand.name,
      subject,
      attachments,
      ...renderMail(content, i18n, current()),
      key: key.replace(/[^\w.-]/g, '.'),
    });
  };
  const sendToCustomer: SendToCustomer = (order, key, compose) => {
    const { translations, brand } = current();
    const i18n = i18nIn(translations, order.locale);
    const link = { label: i18n.t('receipt.link'), href: config.publicUrl + orderPath(order) };
    const addresses = { to: order.email, replyTo: config.merchantEmail ?? brand.merchant.email };
    const { total, discountCode } = order;
    const content = { total, discountCode, link, ...compose(i18n, link) };
    return send(addresses, { key, content, i18n });
  };
  // The setting may have been removed after the job was queued.
  const sendToMerchant: SendToMerchant = async (order, key, compose) => {
    if (config.merchantEmail === undefined) return;
    const i18n = i18nIn(current().translations, config.locales[0]);
    // Never the customer's link: it holds the order token.
    const link = { label: i18n.t('merchantMail.link'), href: config.publicUrl + adminOrderPath(order) };
    const closing = i18n.t('merchantMail.closing');
    const addresses = { to: config.merchantEmail, replyTo: order.email || undefined };
    const { total, discountCode } = order;
    await send(addresses, { key, content: { total, discountCode, ...(await compose(i18n)), link, closing }, i18n });
  };
  return {
    sendToCustomer,
    sendToMerchant,
    sendMail({ to, locale }, key, compose) {
      const i18n = i18nIn(current().translations, locale);
      const content = { total: centavos(0), ...compose(i18n, (path) => config.publicUrl + path) };
      return send({ to }, { key, content, i18n });
    },
    sendReceipt: (paid) => sendToCustomer(paid.order, paid.key, (i18n) => receipt(paid, i18n)),
  };
}

function receipt({ order, lines, payment, stockTaken }: PaidOrder, i18n: I18n): Content {
  const { t, money, moment } = i18n;
  const { address, others } = orderFacts(i18n, order, 'customer');
  const time = promisedTime({ t }, order);
  const paid = t('receipt.paid', { number: order.number, total: money(order.total) });
  return {
    subject: t('receipt.subject', { number: order.number }),
    preview: paid,
    heading: t('receipt.heading', { name: order.firstName }),
    paragraphs: [
      paid,
      ...(order.paidAt === null ? [] : [moment(order.paidAt)]),
      ...(payment?.flow === 'outside'
        ? [t('outsidePayment', { method: t(`outsideMethods.${outsideMethodOf(payment.method)}`) })]
        : []),
      t(stockTaken ? 'receipt.next' : 'receipt.oversold'),
      ...deliveryText(order, t, address.lines),
      ...(stockTaken && time !== undefined ? [time] : []),
    ],
    facts: others,
    lines,
    closing: t('receipt.closing'),
  };
}

function deliveryText(order: Order, t: I18n['t'], address: readonly string[]): readonly string[] {
  if (address.length > 0) return [t('receipt.delivery', { address: address.join(', ') })];
  return shippingKindOf(order) === 'pickup' ? [t('shipping.pickup.hint')] : [];
}
