import type { Feature } from '../feature.js';
import { reminderMail } from './reminder-mail.js';
import { processReminders } from './send-reminder.js';

/** One mail to the customer of an unpaid order with its payment link. */
export const reminders: Feature = {
  name: 'reminders',
  place: 80,
  needs: ['pay-link'],
  loops: [{ name: 'reminders', maxBatches: 1, pauseMs: 5_000, process: processReminders }],
  jobs: (sendToCustomer) => ({ reminder: reminderMail(sendToCustomer) }),
};
