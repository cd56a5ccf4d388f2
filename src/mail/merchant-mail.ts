import type { PaidOrder } from '../checkout/context.js';
import type { Locale } from '../domain/locale.js';
import type { ReviewReason } from '../domain/order.js';
import { formatMoney } from '../locales/format.js';
import type { Mail } from './mailer.js';
import { composeMail, type MailText, mailLines } from './receipt.js';

interface Notification extends PaidOrder {
  /** The e-mail address of the merchant. */
  readonly to: string;
  /** The first locale of the shop. */
  readonly locale: Locale;
  /** Absent for an order that was paid. */
  readonly reviewReason?: ReviewReason | undefined;
}

/** Composes the merchant's mail about an order that was paid or needs review. It never holds the order token. */
export function composeMerchantMail(notification: Notification, words: MailText): Mail {
  const { order, lines, key, to, locale, reviewReason } = notification;
  const t = words.translations.in(locale);
  const [total, { number, firstName, lastName, email }] = [formatMoney(order.total, locale), order];
  const event = reviewReason === undefined ? 'paid' : 'review';
  const heading = t(`merchantMail.${event}`, { number });
  const reason = reviewReason && t(`admin.reasons.${reviewReason}`);
  return composeMail(
    { to, key, words },
    {
      lang: locale,
      shop: t('site.name'),
      subject: `${heading}: ${total}`,
      preview: reason ?? heading,
      heading,
      paragraphs: [
        ...(reason ? [reason] : []),
        t('merchantMail.state', { state: t(`admin.states.${order.state}`) }),
        // Retention may have removed the customer's data.
        ...(email === '' ? [] : [t('merchantMail.customer', { name: `${firstName} ${lastName}`, email })]),
      ],
      lines: mailLines(lines, locale),
      columns: { what: t('receipt.what'), amount: t('receipt.amount'), total: t('order.total') },
      total,
      link: { label: t('merchantMail.link'), href: `${words.publicUrl}/admin/orders/${number}` },
      closing: t('merchantMail.closing'),
    },
  );
}
