import { NOT_NEEDED } from '@tianguis/payments';
import { findRemainders, lastPartOf } from '@tianguis/payments/back-office';
import { type Centavos, needsReview, type ReviewReason } from '@tianguis/payments/rules';
import type { Order } from '../../db/orders.js';
import { addressLines, phoneLine } from '../../locales/address.js';
import { shippingLabel } from '../../locales/frozen-shipping.js';
import type { I18n } from '../../locales/i18n.js';
import type { MailFact } from '../../mail/mail-template.js';
import type { MerchantContent, SendToMerchant } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/context.js';
import { findTranslatedLines } from '../../shop/find-translated-lines.js';
import { fullName, isErased } from '../../shop/rules/contact.js';

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
  { t, money }: I18n,
): MerchantContent {
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
    facts: isErased(order) ? [] : [customerFact(order, t), ...(state === 'paid' ? [deliveryFact(order, t)] : [])],
  };
}

function customerFact(order: Order, t: I18n['t']): MailFact {
  const { email, street, phone } = order;
  // The phone number of a delivery is a part of its address.
  const phones = street === '' && phone !== '' ? [phoneLine(t, order)] : [];
  const emails = email === '' ? [] : [email];
  return { label: t('merchantMails.customer'), lines: [fullName(order), ...emails, ...phones] };
}

function deliveryFact(order: Order, t: I18n['t']): MailFact {
  return { label: t('order.shipping'), lines: [shippingLabel(t, order), ...addressLines(t, order)] };
}
