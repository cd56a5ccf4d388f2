import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  neverCompleted: 'Payments that ended without an answer from the gateway',
  neverCompletedHint:
    'In the last 30 days. The gateway reported them as pending until eight days after their deadline, and the shop stopped checking them. If there are many, ask your gateway.',
  title: 'System status',
  unsettled: 'Payments in progress',
  unsettledHint: 'Orders whose payment is not confirmed yet. They are confirmed automatically or need your review.',
  waitingJobs: 'Waiting emails and notifications',
  waitingJobsHint: 'To customers, to you and to your system. Each is retried.',
  webhooks: 'Webhook events in the last 24 hours',
  none: 'Nothing pending.',
  oldest: 'The oldest has been pending for {{time}}.',
  noWebhook: 'The gateway has not sent any events yet.',
  lastWebhook: 'The last new event arrived {{time}} ago.',
  waiting: 'To be processed: {{count}}.',
  unmatched: 'Without a matching order: {{count}}.',
  failed: 'Could not be processed: {{count}}.',
  noneRefused: 'Rejected: 0.',
  refused: {
    ignored: 'Not stored because they match no order: {{count}}.',
    too_many: 'Rejected because one IP address sent too many: {{count}}.',
    not_authentic: 'Rejected because the credential was incorrect: {{count}}.',
    not_configured: 'Rejected because WEBHOOK_AUTH is not set: {{count}}.',
    unreadable: 'Rejected because they could not be read: {{count}}.',
    not_stored: 'Could not be stored, and the gateway was asked to resend them: {{count}}.',
  },
  refusedSince: 'Rejections counted since {{at}}. A restart sets them to 0.',
};
