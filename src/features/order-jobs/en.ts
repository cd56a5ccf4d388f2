import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  heading: 'Emails and notifications',
  noJobs: 'They are created when the order is paid.',
  done: 'Done',
  dropped: 'Dropped, not sent',
  waiting: 'Pending',
  failing: 'Failed, will be retried',
  doneAt: 'Done on {{at}}',
  droppedAt: 'Dropped on {{at}}',
  tries: 'Tries: {{tries}}.',
  error: 'Last error: {{error}}.',
  next: 'Next try: {{at}}',
  retry: 'Retry now',
  events: { job_retried: 'An admin user requested a retry of an email or notification' },
  results: { rescheduled: 'We will try it now.' },
  refusals: { not_waiting: 'It is done or will be tried automatically within two minutes.' },
};
