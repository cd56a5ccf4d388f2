/** The pages that visitors see most, beside programs that only send the same bytes. */
import { compare, type Finding, judge, median, round } from '../finding.js';
import { drive } from '../load.js';
import type { BenchOptions } from '../options.js';
import { withPage } from '../page-file.js';
import { type Measured, startBaseline, startShop } from '../programs.js';
import type { Row } from '../row.js';
import { cartOfThree } from '../shoppers.js';

const CONNECTIONS = 32;
const WARM_UP = 2_000;
const KINDS = ['raw', 'bare', 'usual'] as const;

export const catalogue: Row = {
  id: 'catalogue',
  says: 'the catalogue for visitors without a cookie',
  measure: (options) =>
    comparePage(options, { path: '/', bar: 0.8, cookieOf: () => Promise.resolve(undefined) }),
};

export const cart: Row = {
  id: 'cart',
  says: 'the cart with a session and three lines',
  measure: (options) =>
    comparePage(options, { path: '/cart', bar: 0.4, cookieOf: ({ url }) => cartOfThree(url) }),
};

interface Page {
  readonly path: string;
  /** Of what a bare Express app sends of the same bytes. */
  readonly bar: number;
  cookieOf(shop: Measured): Promise<string | undefined>;
}

/** What one program did in each round. */
interface Lane {
  readonly name: string;
  readonly rates: number[];
  readonly cpu: number[];
  warmUp(): Promise<void>;
  run(): Promise<void>;
}

async function comparePage(options: BenchOptions, page: Page): Promise<readonly Finding[]> {
  await using shop = await startShop();
  const cookie = await page.cookieOf(shop);
  const headers = cookie === undefined ? {} : { cookie };
  const lanes = await withPage(
    `${shop.url}${page.path}`,
    (bytes) => race(options, { shop, page, headers, bytes }),
    headers,
  );
  return findingsOf(page, lanes.ours, lanes.theirs);
}

async function race(
  options: BenchOptions,
  { shop, page, headers, bytes }: Entrants,
): Promise<{ readonly ours: Lane; readonly theirs: readonly Lane[] }> {
  await using raw = await startBaseline('raw', bytes);
  await using bare = await startBaseline('bare', bytes);
  await using usual = await startBaseline('usual', bytes);
  const lane = (name: string, program: Measured, path: string) =>
    laneOf(name, program, { url: `${program.url}${path}`, seconds: options.seconds, headers });
  const ours = lane('Tianguis', shop, page.path);
  const theirs = [raw, bare, usual].map((program, place) => lane(KINDS[place] ?? '', program, '/'));
  // The first seconds of a program are spent on learning what it does most.
  for (const each of [...theirs, ours]) await each.warmUp();
  for (let turn = 0; turn < options.rounds; turn += 1) {
    for (const each of [...theirs, ours]) await each.run();
  }
  return { ours, theirs };
}

interface Entrants {
  readonly shop: Measured;
  readonly page: Page;
  readonly headers: Record<string, string>;
  readonly bytes: string;
}

function laneOf(
  name: string,
  program: Measured,
  {
    url,
    seconds,
    headers,
  }: { readonly url: string; readonly seconds: number; readonly headers: Record<string, string> },
): Lane {
  const rates: number[] = [];
  const cpu: number[] = [];
  const load = { url, connections: CONNECTIONS, request: { headers }, expect: 200 };
  return {
    ...{ name, rates, cpu },
    async warmUp() {
      await drive({ ...load, until: { requests: WARM_UP } });
    },
    async run() {
      const before = await program.read();
      const figures = await drive({ ...load, until: { seconds } });
      const after = await program.read();
      if (figures.failed > 0) throw new Error(`${name} failed ${figures.failed} requests`);
      rates.push(figures.rate);
      cpu.push(((after.cpuMs - before.cpuMs) * 1000) / figures.useful);
    },
  };
}

function findingsOf({ bar }: Page, ours: Lane, theirs: readonly Lane[]): readonly Finding[] {
  const rate = median(ours.rates);
  const speed = `${round(rate)} pages/s, ${round(median(ours.cpu))} µs of processor time each`;
  return [
    { what: 'Tianguis', figure: speed, numbers: { rate, cpuMicroseconds: median(ours.cpu) } },
    ...theirs.map((lane): Finding => {
      const ratio = compare(ours.rates, lane.rates);
      const figure = `${round(ratio)} × (${round(median(lane.rates))}/s, ${round(median(lane.cpu))} µs)`;
      const judged = lane.name === 'bare' && {
        bar: `≥ ${bar} ×`,
        verdict: judge(ratio >= bar, [ours.rates, lane.rates]),
      };
      return {
        what: `beside ${NAMES[lane.name]}`,
        figure,
        numbers: { ratio, rate: median(lane.rates) },
        ...judged,
      };
    }),
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  raw: 'node:http alone',
  bare: 'bare Express 5, res.send',
  usual: 'Express with EJS, helmet, session',
};
