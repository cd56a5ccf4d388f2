/**
 * Counts refused webhook events by reason, for the back office.
 * The counts are in memory, so that unauthenticated senders cannot cause database writes. Each process counts separately
 * and starts at zero.
 */

import { WEBHOOK_ANSWERS, type WebhookAnswer } from '@tianguis/payments/operations';
import type { Clock } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';

type WebhookRefusal = Exclude<WebhookAnswer, 'stored'>;
export const WEBHOOK_REFUSALS = WEBHOOK_ANSWERS.filter((answer) => answer !== 'stored');

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Creates the counters of this process. */
function refusedWebhooks(clock: Clock) {
  const hours = new Map<number, Record<WebhookRefusal, number>>();
  const recentHours = () => {
    const oldest = Math.floor(clock.now() / HOUR_MS) - HOURS;
    for (const hour of hours.keys()) if (hour <= oldest) hours.delete(hour);
    return hours;
  };
  return {
    /** Start of the count, in milliseconds since 1970. */
    since: clock.now(),
    /** Counts an answer if it refuses. */
    count(answer: WebhookAnswer): void {
      if (answer === 'stored') return;
      const hour = Math.floor(clock.now() / HOUR_MS);
      const counts = recentHours().get(hour) ?? none();
      counts[answer] += 1;
      hours.set(hour, counts);
    },
    /** Returns the counts of the current hour and the 23 hours before it. */
    countLastDay(): Readonly<Record<WebhookRefusal, number>> {
      const total = none();
      for (const counts of recentHours().values())
        for (const reason of WEBHOOK_REFUSALS) total[reason] += counts[reason];
      return total;
    },
  };
}

/** The counters of each shop of this process, by its database. */
const counters = new WeakMap<object, ReturnType<typeof refusedWebhooks>>();

/** Returns the counters of a shop. The first call starts them. */
export function refusedWebhooksOf({ db, clock }: Pick<CheckoutContext, 'db' | 'clock'>) {
  const found = counters.get(db) ?? refusedWebhooks(clock);
  counters.set(db, found);
  return found;
}

function none(): Record<WebhookRefusal, number> {
  return { ignored: 0, too_many: 0, not_authentic: 0, not_configured: 0, unreadable: 0, not_stored: 0 };
}
