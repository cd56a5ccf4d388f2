import type { CheckoutContext, PaidOrder } from '../checkout/context.js';
import { findTranslatedLines } from '../checkout/find-translated-lines.js';
import type { Locale } from '../domain/locale.js';
import type { ReviewReason } from '../domain/order.js';
import { formatMoney } from '../locales/format.js';
import type { Mail, Mailer } from './mailer.js';
import { composeMail, type MailText, mailLines } from './receipt.js';

interface NotifierParts {
  readonly config: {
    readonly merchantEmail: string | undefined;
    readonly locales: readonly [Locale, ...Locale[]];
  };
  readonly db: CheckoutContext['db'];
  readonly mailer: Mailer;
  readonly mailText: MailText;
}

/** Returns the sender of the merchant's mails, with product names in the first locale of the shop. */
export function createMerchantNotifier(parts: NotifierParts): CheckoutContext['notifyMerchant'] {
  const { config, db, mailer, mailText } = parts;
  const [locale] = config.locales;
  return async (paid, reviewReason) => {
    // The setting may have been removed after the job was queued.
    if (config.merchantEmail === undefined) return;
    const { id } = paid.order;
    const lines = (await findTranslatedLines(db.queries, [paid.order], locale)).get(id) ?? paid.lines;
    const notification = { ...paid, lines, to: config.merchantEmail, locale, reviewReason };
    await mailer.send(composeMerchantMail(notification, mailText));
  };
}

interface Notification extends PaidOrder {
  /** The e-mail address of the merchant. */
  readonly to: string;
  /** The first locale of the shop. */
  readonly locale: Locale;
  /** Absent for an order that was paid. */
  readonly reviewReason?: ReviewReason | undefined;
}

/** Composes the merchant's mail about an order that was paid or needs review. It never holds the order token. */
function composeMerchantMail(notification: Notification, words: MailText): Mail {
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
