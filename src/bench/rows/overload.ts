/** Four times as many visitors as the shop can serve: those who are served are served, the others hear so at once. */
import { type Finding, judge, round } from '../finding.js';
import { drive, type Load } from '../load.js';
import { startShop } from '../programs.js';
import type { Row } from '../row.js';
import { cartOfThree } from '../shoppers.js';

const CONNECTIONS = 32;
const CROWD = 512;
const TIMES = 4;
/** As long as asked for a dozen other measurements: a minute, if nothing else is said. */
const LONG = 12;
const LEAST_SHARE = 0.8;
const LONGEST_REFUSAL_MS = 100;
const LONGEST_RECOVERY_S = 5;
/** Then it is looked at no longer. */
const GIVEN_UP_S = 30;

export const overload: Row = {
  id: 'overload',
  says: `${TIMES} times as many carts looked at as the shop can show`,
  async measure({ seconds }) {
    await using shop = await startShop();
    const cookie = await cartOfThree(shop.url);
    const load = { url: `${shop.url}/cart`, request: { headers: { cookie } }, expect: 200 };
    await drive({ ...load, connections: CONNECTIONS, until: { seconds } });
    const peak = await drive({ ...load, connections: CONNECTIONS, until: { seconds } });
    const refusals: number[] = [];
    const crowd: Load = {
      ...{ ...load, connections: CROWD, until: { seconds: seconds * LONG } },
      ...{
        perSecond: Math.round(peak.rate * TIMES),
        onTime: (status, ms) => status === 503 && refusals.push(ms),
      },
    };
    const crowded = await drive(crowd);
    const recovered = await secondsUntil(peak.rate * LEAST_SHARE, load);
    return [...findingsOf(crowded.rate / peak.rate, refusals), recovery(recovered)];
  },
};

/** Looks second by second until one of them has as many useful answers as is wanted. */
async function secondsUntil(rate: number, load: Omit<Load, 'connections' | 'until'>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const now = await drive({ ...load, connections: CONNECTIONS, until: { seconds: 1 } });
    const seconds = (performance.now() - startedAt) / 1000;
    if (now.rate >= rate || seconds > GIVEN_UP_S) return seconds;
  }
}

function findingsOf(share: number, refusals: readonly number[]): readonly Finding[] {
  const sorted = refusals.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  return [
    {
      what: 'useful answers',
      figure: `${round(share * 100)} % of the most without a crowd`,
      bar: `≥ ${LEAST_SHARE * 100} %`,
      verdict: judge(share >= LEAST_SHARE, []),
      numbers: { share },
    },
    {
      what: 'refusals, p99',
      figure: `${round(p99)} ms (${round(refusals.length)} refused)`,
      bar: `≤ ${LONGEST_REFUSAL_MS} ms`,
      verdict: judge(p99 <= LONGEST_REFUSAL_MS, []),
      numbers: { p99, refused: refusals.length },
    },
  ];
}

function recovery(seconds: number): Finding {
  return {
    what: `until a second has ${LEAST_SHARE * 100} % again`,
    figure: `${round(seconds)} s`,
    bar: `≤ ${LONGEST_RECOVERY_S} s`,
    verdict: judge(seconds <= LONGEST_RECOVERY_S, []),
    numbers: { seconds },
  };
}
