import type { Feature } from '../feature.js';
import { reminderMail } from './reminder-mail.js';
import { processReminders } from './send-reminder.js';

/** One mail to the customer of an unpaid order with its payment link. Needs the feature `pay-link`. */
export const reminders: Feature = {
  loops: [{ name: 'reminders', maxBatches: 1, pauseMs: 5_000, process: processReminders }],
  jobs: (sendToCustomer) => ({ reminder: reminderMail(sendToCustomer) }),
};
