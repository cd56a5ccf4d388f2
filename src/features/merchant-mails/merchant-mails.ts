import { NOT_NEEDED } from '@tianguis/payments';
import { findRemainders, lastPartOf } from '@tianguis/payments/back-office';
import { type Centavos, needsReview, type ReviewReason } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import { orderFacts } from '../../locales/order-facts.js';
import type { MailFact } from '../../mail/mail-template.js';
import type { MerchantContent, SendToMerchant } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { findTranslatedLines } from '../../shop/find-translated-lines.js';
import { isErased } from '../../shop/rules/contact.js';
import type { Order } from '../../tables/orders.js';

/** Returns the jobs that mail the merchant that an order is paid, or needs review. */
export function merchantMailJobs(sendToMerchant: SendToMerchant): CheckoutContext['jobs'] {
  const notify = async ({ db }: CheckoutContext, order: Order, key: string, reviewReason?: ReviewReason) => {
    // The mail may have waited. It announces no work for an order that was refunded meanwhile.
    const remainder = (await findRemainders(db.queries, [order])).get(order.id);
    if (remainder === 0 && !(reviewReason && needsReview(order))) return NOT_NEEDED;
    return sendToMerchant(order, key, async (i18n) => {
      const lines = await findTranslatedLines(db.queries, [order], i18n.locale);
      return {
        ...notification(order, { reviewReason, remainder }, i18n),
        lines: lines.get(order.id) ?? [],
      };
    });
  };
  return {
    merchant_paid: (context, order, { key }) => notify(context, order, key),
    merchant_review: (context, order, { key }) => notify(context, order, key, lastPartOf(key) as ReviewReason),
  };
}

/** The merchant's mail about an order that was paid, or that needs review for this reason. */
function notification(
  order: Order,
  { reviewReason, remainder }: { readonly reviewReason?: ReviewReason; readonly remainder: Centavos | undefined },
  i18n: I18n,
): MerchantContent {
  const { t, money } = i18n;
  const { number, state } = order;
  const heading = t(reviewReason ? 'merchantMails.review' : 'merchantMails.paid', { number });
  const reason = reviewReason && t(`admin.reasons.${reviewReason}`);
  return {
    subject: `${heading}: ${money(remainder ?? order.total)}`,
    preview: reason ?? heading,
    heading,
    paragraphs: [
      ...(reason ? [reason] : []),
      t('merchantMails.state', { state: t(`admin.states.${state}`) }),
      ...(remainder === undefined ? [] : [t('merchantMails.remainder', { amount: money(remainder) })]),
    ],
    // Retention may have removed the customer's data.
    facts: isErased(order) ? [] : factsOf(i18n, order),
  };
}

function factsOf(i18n: I18n, order: Order): readonly MailFact[] {
  const { name, email, phone, shipping, address, others } = orderFacts(i18n, order, 'merchant');
  return [
    { label: i18n.t('merchantMails.customer'), lines: [name, email, phone].flatMap(({ lines }) => lines) },
    ...(order.state === 'paid' ? [{ ...shipping, lines: [...shipping.lines, ...address.lines] }] : []),
    ...others,
  ];
}
