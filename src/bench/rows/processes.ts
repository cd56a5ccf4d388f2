/** One and two shops over one PostgreSQL. */
import { compare, median, round } from '../finding.js';
import type { BenchOptions } from '../options.js';
import { type MeasuredShop, startShop } from '../programs.js';
import type { Row } from '../row.js';
import { checkOut, fillCarts } from '../shoppers.js';

const CONNECTIONS = 16;
const CHECKOUTS = 1_000;

export const processes: Row = {
  id: 'processes',
  says: 'checkouts with one and with two shops on PostgreSQL',
  needsServer: true,
  async measure({ rounds, server }: BenchOptions) {
    const rates: Record<number, number[]> = { 1: [], 2: [] };
    for (let turn = 0; turn < rounds; turn += 1) {
      for (const shops of [1, 2]) {
        await using shop = await startShop({ server, shops });
        await together(shop, CHECKOUTS / 4);
        rates[shops]?.push(await together(shop, CHECKOUTS));
      }
    }
    const [one = [], two = []] = [rates[1], rates[2]];
    const ratio = compare(two, one);
    return [
      {
        what: 'two beside one',
        figure: `${round(ratio)} × (${round(median(one))}/s and ${round(median(two))}/s)`,
        numbers: { ratio, one: median(one), two: median(two) },
      },
    ];
  },
};

/** Checkouts a second of all processes; every one must be led to a payment page. */
async function together(shop: MeasuredShop, count: number): Promise<number> {
  const urls = [shop.url, ...shop.others.map(({ url }) => url)];
  const carts = await Promise.all(urls.map((url) => fillCarts(url, Math.ceil(count / urls.length))));
  const startedAt = performance.now();
  const figures = await Promise.all(
    urls.map((url, place) => checkOut(url, carts[place] ?? [], { connections: CONNECTIONS / urls.length })),
  );
  const failed = figures.reduce((sum, figure) => sum + figure.failed, 0);
  if (failed > 0) throw new Error(`${failed} checkouts failed`);
  const useful = figures.reduce((sum, figure) => sum + figure.useful, 0);
  return useful / ((performance.now() - startedAt) / 1000);
}
