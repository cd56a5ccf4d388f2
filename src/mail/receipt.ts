import type { PaidOrder } from '../checkout/services.js';
import { times } from '../core/money.js';
import { formatMoment, formatMoney } from '../words/format.js';
import type { Translations } from '../words/translations.js';
import type { Mail } from './mailer.js';

/** The receipt of a paid order, in the language it was placed in. */
export function composeReceipt(paid: PaidOrder, translations: Translations, publicUrl: string): Mail {
  const { order, lines, key } = paid;
  const t = translations.in(order.locale);
  const money = (amount: typeof order.total) => formatMoney(amount, order.locale);
  const text = [
    t('receipt.greeting', { name: order.firstName }),
    '',
    t('receipt.paid', { number: order.number, total: money(order.total) }),
    ...(order.paidAt === null ? [] : [formatMoment(order.paidAt, order.locale)]),
    '',
    ...lines.map((line) => `${line.quantity} × ${line.name}  ${money(times(line.unitPrice, line.quantity))}`),
    `${t('order.total')}: ${money(order.total)}`,
    '',
    t('receipt.link'),
    `${publicUrl}/orders/${order.token}`,
    '',
    t('receipt.once'),
    t('site.name'),
  ].join('\n');
  return {
    to: order.email,
    subject: t('receipt.subject', { number: order.number }),
    text,
    key: key.replace(/[^\w.-]/g, '.'),
  };
}
