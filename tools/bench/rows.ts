import { spawnSync } from 'node:child_process';
import { projectRoot } from '../../src/project-root.js';
import { requestTimes } from './growth.js';
import { CHECKOUT, checkOut, drive, fillCarts, p99AtRate, postForm } from './load.js';
import { measureProducts } from './products.js';
import { residentMegabytes, startProgram, startShop } from './programs.js';

/** `seconds` is the duration of one measurement, `server` a `postgres://…` address. */
type Options = Readonly<{ seconds: number; full: boolean; server?: string | undefined }>;
/** What was measured, the result, the target, and whether the result meets the target. */
export type Finding = readonly [what: string, figure: string, target: string, met: boolean];

const ROUNDS = 3;
const CONNECTIONS = 64;
/** Of the requests per second of a program that stores nothing. */
const CHECKOUT_TARGET = 0.2;

export const rows: Readonly<Record<string, (options: Options) => Promise<readonly Finding[]>>> = {
  catalog: (options) => comparePage('/', 1, options),
  cart: (options) => comparePage('/cart', 0.15, options),
  checkout: (options) => compareCheckout({ ...options, server: undefined }),
  'checkout-postgres': async (options) => (options.server ? compareCheckout(options) : []),
  added: measureAdded,
  start: measureStart,
  growth: (options) => compareSizes({ ...options, server: undefined }),
  'growth-postgres': async (options) => (options.server ? compareSizes(options) : []),
  products: (options) => measureCatalog({ ...options, server: undefined }),
  'products-postgres': async (options) => (options.server ? measureCatalog(options) : []),
  install: measureInstall,
};

async function comparePage(path: string, target: number, { seconds }: Options): Promise<Finding[]> {
  await using shop = await startShop();
  let cookie = '';
  for (const id of path === '/cart' ? ['bench-0', 'bench-1', 'bench-2'] : [])
    cookie = await postForm(`${shop.url}/cart/items`, `product_id=${id}&quantity=1`, cookie);
  const page = { PAGE_URL: shop.url + path, PAGE_COOKIE: cookie };
  await using bare = await startProgram('tools/bench/bare-express.js', page);
  const requests = [{ headers: cookie ? { cookie } : {} }];
  const load = { connections: CONNECTIONS, duration: seconds, requests };
  const rateOf = (url: string) => () => drive({ ...load, url }, 200);
  return [await compare(`GET ${path}`, target, rateOf(page.PAGE_URL), rateOf(bare.url))];
}

async function compareCheckout({ seconds, server }: Options): Promise<Finding[]> {
  await using shop = await startShop(server);
  await using sample = await startProgram('tools/bench/bare-express.js', { GATEWAY_URL: shop.gateway.url });
  let [errors, duplicates] = [0, 0];
  const ours = async () => {
    const cookies = await fillCarts(shop.url, seconds * 600);
    const sessionsBefore = shop.gateway.sessions.size;
    const { rate, targets } = await checkOut(shop.url, cookies, CONNECTIONS);
    errors += cookies.length - targets.length;
    duplicates += targets.length + shop.gateway.sessions.size - sessionsBefore - 2 * new Set(targets).size;
    return rate;
  };
  const load = { url: `${sample.url}/checkout/hosted`, connections: CONNECTIONS, duration: seconds };
  const bare = () => drive({ ...load, requests: [CHECKOUT] }, 302);
  const what = `POST /checkout/hosted, ${server ? 'PostgreSQL' : 'embedded'}`;
  const ratio = await compare(what, CHECKOUT_TARGET, ours, bare);
  const figure = `${errors} errors, ${duplicates} duplicates in ${seconds * 2_400}`;
  return [ratio, [`${what}, 64 parallel`, figure, '0 and 0', errors === 0 && duplicates === 0]];
}

/** Measures both alternately, after one warm-up round, and compares the median of the ratios with `target`. */
async function compare(what: string, target: number, ours: () => Promise<number>, bare: typeof ours) {
  const ratios: number[] = [];
  let rates = '';
  for (let index = 0; index <= ROUNDS; index += 1) {
    const [bareRate, ourRate] = [await bare(), await ours()];
    if (index > 0) ratios.push(ourRate / bareRate);
    rates = `${round(ourRate)}/s, bare ${round(bareRate)}/s in the last round`;
  }
  return [what, `${round(median(ratios))} × (${rates})`, `≥ ${target} ×`, median(ratios) >= target] as const;
}

async function measureAdded({ seconds }: Options): Promise<Finding[]> {
  await using shop = await startShop(undefined, { delayMs: 100 });
  await checkOut(shop.url, await fillCarts(shop.url, seconds * 600), CONNECTIONS);
  const cookies = await fillCarts(shop.url, seconds * 150);
  const checkouts = cookies.map((cookie) => () => postForm(`${shop.url}/checkout/hosted`, CHECKOUT.body, cookie));
  const direct = cookies.map(() => () => postForm(shop.gateway.url, '{}'));
  const [ours, gateway] = [await p99AtRate(50, checkouts), await p99AtRate(50, direct)];
  const figure = `${round(ours - gateway)} ms (${round(ours)} ms, direct ${round(gateway)} ms)`;
  return [['added to a 100 ms gateway call, p99 at 50/s', figure, '≤ 20 ms', ours - gateway <= 20]];
}

async function measureStart({ full }: Options): Promise<Finding[]> {
  const startedAt = performance.now();
  await using shop = await startShop();
  const startMs = performance.now() - startedAt;
  const visits = full ? 100_000 : 20_000;
  const residentAfterHalf = async () => {
    await drive({ url: shop.url, connections: CONNECTIONS, amount: visits / 2 }, 200);
    return residentMegabytes(shop.url);
  };
  const [half, end] = [await residentAfterHalf(), await residentAfterHalf()];
  const figure = `${round(end)} MB (${round(half)} MB half way)`;
  return [
    ['start to first page', `${round(startMs)} ms`, '≤ 1,200 ms', startMs <= 1_200],
    [`memory after ${round(visits)} visits`, figure, '≤ 200 MB, flat', end <= Math.min(200, half * 1.1)],
  ];
}

async function compareSizes({ full, seconds, server }: Options): Promise<Finding[]> {
  const orders = full ? 1_000_000 : 20_000;
  const small = await requestTimes(1_000, seconds, server);
  const large = await requestTimes(orders, seconds, server);
  return Object.entries(small).map(([name, times]): Finding => {
    const [before, after] = [median(times), median(large[name] ?? [])];
    const figure = `${round(after / before)} × (${round(before)} ms, then ${round(after)} ms)`;
    const what = `${name}, ${round(orders)} orders, ${server ? 'PostgreSQL' : 'embedded'}`;
    return [what, figure, '≤ 1.5 × of 1,000', after <= before * 1.5 || after - before <= 3];
  });
}

async function measureCatalog({ seconds, server }: Options): Promise<Finding[]> {
  const { importMs, times, megabytes } = await measureProducts(seconds, server);
  const catalog = `10,000 products, ${server ? 'PostgreSQL' : 'embedded'}`;
  const pages = Object.entries(times).map(([path, durations]): Finding => {
    const p95 = durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.95)] ?? Number.NaN;
    return [`${path}, ${catalog}, p95`, `${round(p95)} ms`, '≤ 50 ms', p95 <= 50];
  });
  // Without the room of the metrics the shop does not publish its memory.
  const memory: Finding = [`memory, ${catalog}`, `${round(megabytes)} MB`, '≤ 200 MB', megabytes <= 200];
  return [
    [`import, ${catalog}`, `${round(importMs)} ms`, '≤ 3,000 ms', importMs <= 3_000],
    ...pages,
    ...(Number.isNaN(megabytes) ? [] : [memory]),
  ];
}

async function measureInstall(): Promise<Finding[]> {
  const cwd = projectRoot;
  const list = ['ls', '--omit=dev', '--all', '--parseable'];
  const [, ...folders] = spawnSync('npm', list, { cwd, encoding: 'utf8' }).stdout.trim().split('\n');
  const disk = spawnSync('du', ['-skc', ...folders], { encoding: 'utf8' }).stdout;
  const [count, size] = [folders.length, Number(/(\d+)\s+total/.exec(disk)?.[1]) / 1024];
  return [['production install', `${count} packages, ${round(size)} MB`, '≤ 145, ≤ 80 MB', count <= 145 && size <= 80]];
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const round = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
