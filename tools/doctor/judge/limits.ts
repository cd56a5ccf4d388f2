/** Checks limits and times that are valid but may be unsuitable. */
import { note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { SETTING_HELP } from '../setting-help.js';

const MINUTE = 60_000;
const LONG_MS = 12 * 60 * MINUTE;
const SHORT_MS = 31 * MINUTE;

export function judgeLimits({ config, production }: Patient): readonly Verdict[] {
  return [...attempts(config.rateLimit, production), timeToPay(config.orderTtlMs)];
}

/** In production, the validation of the settings already rejects `off`. */
function attempts(limited: boolean, production: boolean): Verdict[] {
  if (limited) return [ok('Payment attempts are limited.')];
  return production ? [] : [warning({ what: 'RATE_LIMIT is off.', ...SETTING_HELP.RATE_LIMIT })];
}

function timeToPay(ms: number): Verdict {
  const minutes = Math.round(ms / MINUTE);
  if (ms > LONG_MS)
    return note({
      what: `A payment page may be paid for ${Math.round(minutes / 60)} hours.`,
      why: 'An order keeps its prices for this time, and an unpaid order stays pending for this time.',
      mend: 'Set ORDER_TTL_MINUTES=60, which is enough for most shops.',
    });
  if (ms < SHORT_MS)
    return note({
      what: 'A payment page may be paid for the shortest time that the gateway accepts.',
      why: 'If the clocks of shop and gateway differ by half a minute, the gateway refuses to open one.',
      mend: 'Set ORDER_TTL_MINUTES=60.',
    });
  return ok(`A payment page may be paid for ${minutes} minutes.`);
}
