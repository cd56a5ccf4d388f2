import type { Attempt } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { orderOf } from '../../admin/order/admin-order.js';
import { adminOrderPage } from '../../admin/order/admin-order-page.js';
import { factList, type OrderRecord, readOrderRecord } from '../../admin/order/order-record.js';
import { messageOf, orderTimeline } from '../../admin/order/order-timeline.js';
import { attemptView } from '../../admin/order/review-section.js';
import { adminOf } from '../../admin/permissions.js';
import type { I18n } from '../../locales/i18n.js';
import { adminOrderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';

/** Sends the page with the evidence of an order. It has the history as stored, and no card data: the shop has none. */
export async function sendEvidence(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const order = await orderOf(res);
  const record = await readOrderRecord(context, order, undefined);
  const { review: _review, ...shared } = adminOrderPage(context, record, adminOf(res), '');
  const title = context.t('disputes.title', { number: order.number });
  await render(res, 'disputes/views/evidence', {
    title,
    page: {
      ...shared,
      backHref: adminOrderPath(order),
      printedAt: context.moment(record.now),
      payments: record.attempts.map((attempt) => ({
        ...attemptView(context, attempt, record.events),
        bank: bankText(context, attempt),
      })),
      delivery: deliveryFacts(context, record),
      refunds: refundRows(context, record),
      mails: sentMails(context, record),
      history: orderTimeline(context, record.events),
    },
  });
}

/** Returns what is stored about the verification by the bank. Absent for an attempt that asked for none. */
function bankText({ t, moment }: I18n, { flow, redirectUrl, returnedAt }: Attempt): string | undefined {
  if (flow === 'outside') return undefined;
  if (flow === 'hosted') return t('disputes.banks.hosted');
  if (redirectUrl === null) return t('disputes.banks.none');
  const returned = returnedAt === null ? '' : ` ${t('disputes.banks.returned', { at: moment(returnedAt) })}`;
  return `${t('disputes.banks.requested')}${returned}`;
}

function deliveryFacts(i18n: I18n, { fulfillment }: OrderRecord) {
  const { carrier, trackingNumber, updatedAt } = fulfillment ?? {};
  const values = {
    carrier: carrier ? (messageOf(i18n, `shipments.carriers.${carrier}`) ?? carrier) : '',
    trackingNumber: trackingNumber ?? '',
    changedAt: updatedAt === undefined ? '' : i18n.moment(updatedAt),
  };
  return factList(values, (name) => i18n.t(`disputes.${name}`));
}

/** With words of the feature `refunds`, if the shop has it. */
function refundRows(i18n: I18n, { refunds }: OrderRecord) {
  return refunds.map(({ kind, state, refundedOn, createdAt, gatewayRefundId, ...refund }) => {
    const amount = i18n.money(refund.amount);
    const what = messageOf(i18n, `refunds.kinds.${kind}`, { amount }) ?? amount;
    const texts = [
      what,
      messageOf(i18n, `refunds.states.${state}`) ?? state,
      ...(gatewayRefundId ? [gatewayRefundId] : []),
    ];
    return { at: refundedOn ?? i18n.moment(createdAt), text: texts.join(' · ') };
  });
}

/** Jobs that are no mail to the customer: hooks, mails to the merchant, and those to a former address. */
const OTHER_JOBS = /^(?:on_|merchant_|contact_removed$)/;

/** Reads the mails from the history, because jobs that are done are deleted after 90 days. */
function sentMails(i18n: I18n, { events }: OrderRecord) {
  return events
    .filter(({ kind }) => kind === 'job_done')
    .map(({ at, detail }) => ({ at, job: String((JSON.parse(detail) as { readonly job?: string }).job) }))
    .filter(({ job }) => !OTHER_JOBS.test(job))
    .map(({ at, job }) => ({ at: i18n.moment(at), name: messageOf(i18n, `jobs.${job}`) ?? job }));
}
