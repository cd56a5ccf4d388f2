import type { Feature } from '../feature.js';
import { reminderMail } from './reminder-mail.js';
import { processReminders } from './send-reminder.js';
import { HOUR_MS, MAX_HOURS } from './settings.js';

/** One mail to the customer of an unpaid order with its payment link. */
export const reminders: Feature = {
  name: 'reminders',
  place: 80,
  needs: ['pay-link'],
  remindsNewOrders: ({ reminderMs }) => reminderMs !== undefined,
  loops: () => [{ name: 'reminders', maxBatches: 1, pauseMs: 5_000, process: processReminders }],
  shopSettings: [
    {
      name: 'reminders.hours',
      kind: 'number',
      label: (t) => t('reminders.setting'),
      hint: (t) => t('reminders.settingHint'),
      limitsOf: ({ orderPayableMs }) => ({
        min: 1,
        // It comes while the order can still be paid.
        max: Math.min(MAX_HOURS, orderPayableMs / HOUR_MS - 1),
        mayBeNone: true,
      }),
      valueOf: ({ reminderMs = 0 }) => reminderMs / HOUR_MS,
      toConfig: (hours) => ({ reminderMs: hours === 0 ? undefined : hours * HOUR_MS }),
    },
  ],
  jobs: (sendToCustomer) => ({ reminder: reminderMail(sendToCustomer) }),
};
