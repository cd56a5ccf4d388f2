/** The same questions to a young shop and to one that has sold for years. */
import { exchange } from '../../drill/http.js';
import { fillOrders } from '../fill.js';
import { type Finding, judge, median, round } from '../finding.js';
import type { BenchOptions } from '../options.js';
import { DESK_PASSWORD, type MeasuredShop, startShop, WEBHOOK_HEADERS } from '../programs.js';
import type { Row } from '../row.js';
import { checkOut, FORM, fillCarts } from '../shoppers.js';

const YOUNG = 1_000;
const ASKED = 40;
const BAR = 1.5;

export const growth: Row = {
  id: 'growth',
  says: `a shop with ${round(YOUNG)} orders beside one with a million`,
  measure: (options) => compareSizes(options, undefined),
};

export const growthOnPostgres: Row = {
  id: 'growth-postgres',
  says: 'the same on PostgreSQL',
  needsServer: true,
  measure: (options) => compareSizes(options, options.server),
};

/** Milliseconds of each question, in the order they are asked. */
type Times = Readonly<Record<string, readonly number[]>>;

async function compareSizes(
  { orders }: BenchOptions,
  server: string | undefined,
): Promise<readonly Finding[]> {
  const young = await timesWith(YOUNG, server);
  const grown = await timesWith(orders, server);
  return Object.keys(young).map((what) => {
    const before = young[what] ?? [];
    const after = grown[what] ?? [];
    const ratio = median(after) / median(before);
    return {
      what,
      figure: `${round(ratio)} × (${round(median(before))} ms with ${round(YOUNG)}, ${round(median(after))} ms with ${round(orders)})`,
      bar: `≤ ${BAR} ×`,
      // A few milliseconds either way are the machine's.
      verdict: judge(ratio <= BAR || median(after) < 10, [halves(before), halves(after)]),
      numbers: { ratio, before: median(before), after: median(after) },
    };
  });
}

/** The medians of the first and the second half: how even the machine was. */
function halves(times: readonly number[]): readonly number[] {
  const middle = Math.floor(times.length / 2);
  return [median(times.slice(0, middle)), median(times.slice(middle))];
}

async function timesWith(orders: number, server: string | undefined): Promise<Times> {
  await using shop = await startShop({
    ...{ server, paid: true, prepare: (databaseUrl: string) => fillOrders(databaseUrl, orders) },
  });
  await checkOut(shop.url, await fillCarts(shop.url, ASKED * 2), { connections: 4 });
  const [returns, webhooks] = halve(await shop.opened());
  const cookie = await signIn(shop);
  const desk = (path: string) => timesOf(ASKED, () => exchange(shop.url, path, { headers: { cookie } }), 200);
  const paths = returns.map(({ id, returnUrl }) => `${new URL(returnUrl).pathname}?session_id=${id}`);
  const messages = webhooks.map(({ id }) => JSON.stringify({ event: 'session.completed', data: { id } }));
  return {
    'the way back from paying': await timesOf(ASKED, (turn) => exchange(shop.url, paths[turn] ?? ''), 303),
    'a message of the service': await timesOf(
      ASKED,
      (turn) =>
        exchange(shop.url, '/webhooks/payments', {
          method: 'POST',
          headers: WEBHOOK_HEADERS,
          body: messages[turn] ?? '',
        }),
      200,
    ),
    'desk: the front page with its charts': await desk('/admin'),
    'desk: the list': await desk('/admin/orders'),
    'desk: paid orders': await desk('/admin/orders?state=paid'),
    'desk: a shopper by e-mail': await desk('/admin/orders?q=shopper7%40example.com'),
  };
}

function halve<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  return [items.slice(0, ASKED), items.slice(ASKED)];
}

/** The first answer is not counted: it reads from the disk what the others find in memory. */
async function timesOf(
  count: number,
  ask: (turn: number) => ReturnType<typeof exchange>,
  expected: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const { status, ms } = await ask(turn);
    if (status !== expected) throw new Error(`answered ${status} instead of ${expected}`);
    times.push(ms);
  }
  return times.slice(1);
}

async function signIn(shop: MeasuredShop): Promise<string> {
  const body = new URLSearchParams({ password: DESK_PASSWORD }).toString();
  const { headers } = await exchange(shop.url, '/admin/sign-in', { method: 'POST', headers: FORM, body });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
