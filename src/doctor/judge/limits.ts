/** Limits and times that are allowed and may still be unwise. */
import { note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { SETTING_HELP } from '../setting-help.js';

const MINUTE = 60_000;
const LONG_MS = 12 * 60 * MINUTE;
const SHORT_MS = 31 * MINUTE;

export function judgeLimits({ config, production }: Patient): readonly Verdict[] {
  return [...attempts(config.attemptLimits, production), timeToPay(config.orderTtlMs)];
}

/** Off is refused in production, and told with the settings themselves. */
function attempts(limited: boolean, production: boolean): Verdict[] {
  if (limited) return [ok('Payment attempts are limited.')];
  return production ? [] : [warning({ what: 'ATTEMPT_LIMITS is off.', ...SETTING_HELP.ATTEMPT_LIMITS })];
}

function timeToPay(ms: number): Verdict {
  const minutes = Math.round(ms / MINUTE);
  if (ms > LONG_MS)
    return note({
      what: `A payment page may be paid for ${Math.round(minutes / 60)} hours.`,
      why: 'An order keeps its prices as long, and so long an unpaid one counts as waiting.',
      mend: 'ORDER_TTL_MINUTES=60 is enough for most shops.',
    });
  if (ms < SHORT_MS)
    return note({
      what: 'A payment page may be paid for the shortest time that the service takes.',
      why: 'When the clocks of shop and service differ by half a minute, it refuses to open one.',
      mend: 'ORDER_TTL_MINUTES=60 leaves room.',
    });
  return ok(`A payment page may be paid for ${minutes} minutes.`);
}
