/** How far this machine's clock is from the service's, by the Date header of an answer. */
import { ask } from '../ask.js';
import { error, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

const MINUTE = 60_000;
/** Of `expires_at`, by interface.md section 8. */
const WINDOW_MS = { least: 30 * MINUTE, most: 24 * 60 * MINUTE };
/** A payment page is given up two minutes after its time: by then the service must have closed it. */
const MOST_MS = 2 * MINUTE;
/** Date tells whole seconds. */
const LEAST_MS = 10_000;

export async function lookAtClock({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const before = Date.now();
  const reply = await ask({ url: `${config.payments.checkoutApiUrl}/checkout/v1/sessions/clock` }, signal);
  const halfway = (Date.now() - before) / 2;
  const told = reply.answered ? Date.parse(reply.headers.get('date') ?? '') : Number.NaN;
  const aheadMs = Math.round(before + halfway - told);
  if (Number.isNaN(told)) return [untold];
  // Nobody knows when on its way the answer was dated: a slow one proves that much less.
  return [Math.abs(aheadMs) - halfway < LEAST_MS ? agreed : judge(aheadMs, config.orderTtlMs)];
}

const agreed = ok('The clocks of shop and service agree.');

/** `aheadMs`: how far our clock is ahead of the service's. */
function judge(aheadMs: number, ttlMs: number): Verdict {
  const size = Math.abs(aheadMs);
  const what = `This machine’s clock is ${Math.round(size / 1000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the service’s.`;
  const mend = 'Switch on time synchronisation: timedatectl set-ntp true (NTP), and run the doctor again.';
  const seenTtl = ttlMs + aheadMs;
  if (seenTtl < WINDOW_MS.least || seenTtl > WINDOW_MS.most)
    return error({
      what,
      why: 'To the service the payment page would end outside its 30 minutes to 24 hours: it opens none, and nobody can pay.',
      mend,
    });
  const why = 'The shop gives a payment page up two minutes after its time, by its own clock.';
  if (size >= MOST_MS) return error({ what, why: `${why} The service may still take money then.`, mend });
  return warning({ what, why: `${why} The further the clocks drift, the sooner that is too soon.`, mend });
}

const untold = note({
  what: 'The service’s answer tells no time, or there was no answer.',
  why: 'Whether the clocks agree cannot be told; the end of a payment page depends on it.',
  mend: 'Make sure that time synchronisation (NTP) is on: timedatectl',
});
