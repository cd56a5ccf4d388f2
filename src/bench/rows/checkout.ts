/** `POST /checkout/hosted`: an order, its attempt and a session at the service before each redirect. */
import { type Finding, judge, median, round } from '../finding.js';
import { drive, type Figures } from '../load.js';
import type { BenchOptions } from '../options.js';
import { withPage } from '../page-file.js';
import { type MeasuredShop, startBaseline, startShop } from '../programs.js';
import type { Row } from '../row.js';
import { checkOut, fillCarts } from '../shoppers.js';

const CONNECTIONS = 32;
/** The first checkouts of a program are spent on learning what it does most. */
const WARM_UP = 4_000;
/** What a bare Express app sends a second of a page like the catalogue, on the two cores that the bars are for. */
const REFERENCE_RATE = 10_000;
const CHECKOUTS_PER_SECOND = 800;

export const checkout: Row = {
  id: 'checkout',
  says: 'create an order and a session, and redirect, on the embedded database',
  measure: (options) => measureCheckouts(options, { bar: 1_500 }),
};

export const checkoutOnPostgres: Row = {
  id: 'checkout-postgres',
  says: 'the same on PostgreSQL',
  needsServer: true,
  measure: (options) => measureCheckouts(options, { bar: 500, server: options.server }),
};

async function measureCheckouts(
  { rounds, seconds }: BenchOptions,
  { bar, server }: { readonly bar: number; readonly server?: string | undefined },
): Promise<readonly Finding[]> {
  await using shop = await startShop({ server });
  return await withPage(shop.url, async (page) => {
    await using bare = await startBaseline('bare', page);
    const ours: number[] = [];
    const theirs: number[] = [];
    const cpu: number[] = [];
    await checkOut(shop.url, await fillCarts(shop.url, WARM_UP), { connections: CONNECTIONS });
    for (let turn = 0; turn < rounds; turn += 1) {
      const alone = await drive({ url: bare.url, connections: CONNECTIONS, until: { seconds }, expect: 200 });
      const cookies = await fillCarts(shop.url, seconds * CHECKOUTS_PER_SECOND);
      const before = await shop.read();
      const figures = await checkOut(shop.url, cookies, { connections: CONNECTIONS });
      const after = await shop.read();
      if (figures.failed > 0)
        throw new Error(`${figures.failed} checkouts failed: ${JSON.stringify(figures.answers)}`);
      theirs.push(alone.rate);
      ours.push(figures.rate);
      cpu.push(((after.cpuMs - before.cpuMs) * 1000) / figures.useful);
    }
    return findingsOf({ bar, ours, theirs, cpu });
  });
}

interface Rounds {
  readonly bar: number;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly cpu: readonly number[];
}

function findingsOf({ bar, ours, theirs, cpu }: Rounds): readonly Finding[] {
  const rate = median(ours);
  const ratio = median(ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN)));
  const scaled = ratio * REFERENCE_RATE;
  return [
    {
      what: 'redirects a second',
      figure: `${round(rate)}/s, ${round(median(cpu))} µs of processor time each`,
      bar: `≥ ${round(bar)}/s`,
      verdict: judge(rate >= bar, [ours]),
      numbers: { rate, cpuMicroseconds: median(cpu) },
    },
    {
      what: `the same where bare Express sends ${round(REFERENCE_RATE)} pages/s`,
      figure: `${round(scaled)}/s (bare Express here: ${round(median(theirs))}/s)`,
      bar: `≥ ${round(bar)}/s`,
      verdict: judge(scaled >= bar, [ours, theirs]),
      numbers: { scaled, ratio },
    },
  ];
}

const PARALLEL = 64;

export const parallel: Row = {
  id: 'parallel',
  says: '64 shoppers in parallel, each with a cart of their own',
  async measure({ seconds, server }) {
    const findings: Finding[] = [];
    for (const place of server === undefined ? [undefined] : [undefined, server]) {
      await using shop = await startShop({ server: place });
      findings.push(
        await measureParallel(shop, { seconds, where: place === undefined ? 'embedded' : 'PostgreSQL' }),
      );
    }
    return findings;
  },
};

async function measureParallel(
  shop: MeasuredShop,
  { seconds, where }: { readonly seconds: number; readonly where: string },
): Promise<Finding> {
  const cookies = await fillCarts(shop.url, seconds * CHECKOUTS_PER_SECOND);
  const addresses = new Set<unknown>();
  const { useful, failed, answers } = await checkOut(shop.url, cookies, {
    connections: PARALLEL,
    onAnswer: ({ location }) => addresses.add(location),
  });
  const doubled = (await shop.sessions()) - addresses.size + (useful - addresses.size);
  return {
    what: `errors and duplicates, ${where}`,
    figure: `${failed} errors${failed > 0 ? ` (${told(answers)})` : ''}, ${doubled} duplicates in ${round(useful)} checkouts`,
    bar: '0 and 0',
    verdict: failed === 0 && doubled === 0 ? 'holds' : 'misses',
    numbers: { failed, doubled, useful },
  };
}

/** `302 × 1918, 503 × 82`; what is missing was never answered. */
function told(answers: Figures['answers']): string {
  return Object.entries(answers)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
}

const SLOW_MS = 100;
/** Each waits a tenth of a second for the service: together a hundred a second. */
const PATIENT = 10;

export const added: Row = {
  id: 'added',
  says: 'what the shop adds to a call that takes the service 100 ms, at 100 a second',
  async measure({ rounds, seconds }) {
    await using shop = await startShop({ delayMs: SLOW_MS });
    await checkOut(shop.url, await fillCarts(shop.url, WARM_UP), { connections: CONNECTIONS });
    await checkOut(shop.url, await fillCarts(shop.url, PATIENT * 10), { connections: PATIENT });
    const through: number[] = [];
    const direct: number[] = [];
    const { service } = shop;
    for (let turn = 0; turn < rounds; turn += 1) {
      const alone = await drive({
        ...{
          url: `${service.url}/checkout/v1/sessions`,
          connections: PATIENT,
          until: { seconds },
          expect: 201,
        },
        request: { method: 'POST', body: '{"amount_total":28900,"external_id":"TG-BENC-HING"}' },
      });
      const cookies = await fillCarts(shop.url, seconds * PATIENT * 9);
      through.push((await checkOut(shop.url, cookies, { connections: PATIENT })).p99);
      direct.push(alone.p99);
    }
    const ms = median(through.map((value, turn) => value - (direct[turn] ?? Number.NaN)));
    return [
      {
        what: 'added, p99',
        figure: `${round(ms)} ms (${round(median(through))} through the shop, ${round(median(direct))} direct)`,
        bar: '≤ 10 ms',
        verdict: judge(ms <= 10, [through, direct]),
        numbers: { ms },
      },
    ];
  },
};
