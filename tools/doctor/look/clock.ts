/** Compares this machine's clock with the gateway's clock, using the `Date` header of a response. */
import { ask } from '../ask.js';
import { error, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

const MINUTE = 60_000;
/** Allowed range of `expires_at` (interface.md, section 8). */
const WINDOW_MS = { least: 30 * MINUTE, most: 24 * 60 * MINUTE };
/** The shop closes an expired session after 2 min. The gateway must have closed it by then. */
const MOST_MS = 2 * MINUTE;
/** 10 s: the `Date` header has a resolution of 1 s. */
const LEAST_MS = 10_000;

export async function lookAtClock({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const before = Date.now();
  const reply = await ask({ url: `${config.payments.checkoutApiUrl}/checkout/v1/sessions/clock` }, signal);
  const halfway = (Date.now() - before) / 2;
  const told = reply.answered ? Date.parse(reply.headers.get('date') ?? '') : Number.NaN;
  const aheadMs = Math.round(before + halfway - told);
  if (Number.isNaN(told)) return [untold];
  // The response was dated at an unknown time during the exchange, so half the duration counts as uncertainty.
  return [Math.abs(aheadMs) - halfway < LEAST_MS ? agreed : evaluatePayment(aheadMs, config.orderTtlMs)];
}

const agreed = ok('The clocks of shop and gateway agree.');

/** `aheadMs`: how far the clock of this machine is ahead of the gateway's clock. */
function evaluatePayment(aheadMs: number, ttlMs: number): Verdict {
  const size = Math.abs(aheadMs);
  const what = `This machine’s clock is ${Math.round(size / 1000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the gateway’s.`;
  const mend = 'Enable time synchronization (NTP) with timedatectl set-ntp true, and run the doctor again.';
  const seenTtl = ttlMs + aheadMs;
  if (seenTtl < WINDOW_MS.least || seenTtl > WINDOW_MS.most)
    return error({
      what,
      why: 'For the gateway, the payment page would end outside its range of 30 minutes to 24 hours: it opens none, and customers cannot pay.',
      mend,
    });
  const why = 'The shop closes a payment page two minutes after its end, by its own clock.';
  if (size >= MOST_MS)
    return error({ what, why: `${why} The gateway may still accept a payment then.`, mend });
  return warning({
    what,
    why: `${why} With more drift, the shop closes it while the gateway still accepts payments.`,
    mend,
  });
}

const untold = note({
  what: 'The gateway’s response has no Date header, or there was no response.',
  why: 'The clocks cannot be compared. The end of a payment page depends on them.',
  mend: 'Check with timedatectl that time synchronization (NTP) is on.',
});
