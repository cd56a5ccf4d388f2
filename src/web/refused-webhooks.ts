/**
 * How many messages were turned away lately, and why. Kept in memory: nobody who is not the service can make the shop
 * write anything. So each process counts for itself, and from its own start on.
 */
import { type Observer, WEBHOOK_ANSWERS, type WebhookAnswer } from '../checkout/observer.js';
import type { Clock } from '../checkout/services.js';

export type WebhookRefusal = Exclude<WebhookAnswer, 'kept'>;
export const WEBHOOK_REFUSALS = WEBHOOK_ANSWERS.filter((answer) => answer !== 'kept');

export interface RefusedWebhooks {
  /** Since when there is a count. */
  readonly since: number;
  count(reason: WebhookRefusal): void;
  /** What was refused in the last 24 hours, to the hour. */
  lately(): Readonly<Record<WebhookRefusal, number>>;
}

interface Parts {
  readonly clock: Clock;
  readonly observer: Observer;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

export function refusedWebhooks({ clock, observer }: Parts): RefusedWebhooks {
  const hours = new Map<number, Record<WebhookRefusal, number>>();
  const present = () => Math.floor(clock.now() / HOUR_MS);
  const forgetOld = () => {
    for (const hour of hours.keys()) if (hour <= present() - HOURS) hours.delete(hour);
  };
  return {
    since: clock.now(),
    count(reason) {
      observer.webhookAnswered(reason);
      forgetOld();
      const hour = hours.get(present()) ?? none();
      hours.set(present(), hour);
      hour[reason] += 1;
    },
    lately() {
      forgetOld();
      const total = none();
      for (const hour of hours.values()) for (const reason of WEBHOOK_REFUSALS) total[reason] += hour[reason];
      return total;
    },
  };
}

function none(): Record<WebhookRefusal, number> {
  return { not_authentic: 0, not_configured: 0, unreadable: 0, not_kept: 0 };
}
