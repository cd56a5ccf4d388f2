import type { PaidOrder, ShippedOrder } from '../checkout/context.js';
import { trackingLink } from '../domain/fulfillment.js';
import { times } from '../domain/money.js';
import { addressLines } from '../locales/address.js';
import { formatMoment, formatMoney } from '../locales/format.js';
import type { Translations } from '../locales/translations.js';
import type { MailContent, RenderMail } from './mail-template.js';
import type { Mail } from './mailer.js';

type Order = PaidOrder['order'];

/** What every mail needs besides the order. */
export interface MailText {
  readonly translations: Translations;
  /** The shop's own address, without a trailing slash. */
  readonly publicUrl: string;
  readonly renderMail: RenderMail;
}

/** Composes the receipt of a paid order, in the locale of the order. */
export function composeReceipt({ order, lines, key, stockTaken }: PaidOrder, words: MailText): Mail {
  const t = words.translations.in(order.locale);
  const paid = t('receipt.paid', { number: order.number, total: formatMoney(order.total, order.locale) });
  return composeMail(
    { to: order.email, key, words },
    {
      ...frame(order, words),
      subject: t('receipt.subject', { number: order.number }),
      preview: paid,
      heading: t('receipt.heading', { name: order.firstName }),
      paragraphs: [
        paid,
        ...(order.paidAt === null ? [] : [formatMoment(order.paidAt, order.locale)]),
        t(stockTaken ? 'receipt.next' : 'receipt.oversold'),
        ...deliveryText(order, words),
      ],
      lines: mailLines(lines, order.locale),
      closing: t('receipt.once'),
    },
  );
}

function deliveryText(order: Order, { translations }: MailText): readonly string[] {
  const t = translations.in(order.locale);
  const address = addressLines(t, order).join(', ');
  if (address !== '') return [t('receipt.delivery', { address })];
  return order.shippingOption === 'pickup' ? [t('receipt.pickup')] : [];
}

/** Composes the mail with the order's link, in the locale of the order. It goes to the e-mail address of the order. */
export function composeOrderLink(order: Order, key: string, words: MailText): Mail {
  const t = words.translations.in(order.locale);
  return composeMail(
    { to: order.email, key, words },
    {
      ...frame(order, words),
      subject: t('orderLink.subject', { number: order.number }),
      preview: t('orderLink.asked'),
      heading: t('orderLink.heading', { number: order.number }),
      paragraphs: [t('orderLink.asked')],
      lines: [],
      closing: t('orderLink.notYou'),
    },
  );
}

/** Composes the mail about a shipped order, in the locale of the order, with the carrier's tracking link if there is one. */
export function composeShipped({ order, key, shipment }: ShippedOrder, words: MailText): Mail {
  const t = words.translations.in(order.locale);
  const { carrier, trackingNumber } = shipment;
  const tracking = trackingLink(shipment);
  const framed = frame(order, words);
  const sent =
    carrier === 'other'
      ? t('shipped.sent', { number: order.number })
      : t('shipped.sentBy', { number: order.number, carrier: t(`fulfillment.carriers.${carrier}`) });
  return composeMail(
    { to: order.email, key, words },
    {
      ...framed,
      subject: t('shipped.subject', { number: order.number }),
      preview: sent,
      heading: t('shipped.heading', { name: order.firstName }),
      paragraphs: [sent, ...(trackingNumber === '' ? [] : [t('shipped.trackingNumber', { trackingNumber })])],
      lines: [],
      ...(tracking && { link: { label: t('fulfillment.track'), href: tracking }, secondLink: framed.link }),
      closing: t('shipped.once'),
    },
  );
}

function frame(order: Order, { translations, publicUrl }: MailText) {
  const t = translations.in(order.locale);
  return {
    lang: order.locale,
    shop: t('site.name'),
    columns: { what: t('receipt.what'), amount: t('receipt.amount'), total: t('order.total') },
    total: formatMoney(order.total, order.locale),
    link: { label: t('receipt.link'), href: `${publicUrl}/orders/${order.token}` },
  };
}

/** Formats order lines for a mail. */
export function mailLines(lines: PaidOrder['lines'], locale: Order['locale']): MailContent['lines'] {
  return lines.map(({ name, quantity, unitPrice }) => ({
    name,
    quantity,
    lineTotal: formatMoney(times(unitPrice, quantity), locale),
  }));
}

interface Envelope {
  readonly to: string;
  readonly key: string;
  readonly words: MailText;
}

/** Renders a mail to one recipient. */
export function composeMail({ to, key, words }: Envelope, content: MailContent): Mail {
  return {
    to,
    subject: content.subject,
    ...words.renderMail(content),
    key: key.replace(/[^\w.-]/g, '.'),
  };
}
