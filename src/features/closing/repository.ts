import type { Db } from '../../tables/database.js';

/** What a closed shop leaves open or ends. */
export interface ClosingFacts {
  /** When the last page that is open now ends. `undefined`: none is open. */
  readonly pagesUntil: number | undefined;
  /** Unpaid orders whose link cannot be paid while the shop is closed. Those of the merchant can. */
  readonly links: number;
  /** Those of them whose link ends before the shop opens again. */
  readonly endedLinks: number;
}

/** `opensAt`: when the shop opens again. */
export async function readClosingFacts(queries: Db, opensAt: number, at: number): Promise<ClosingFacts> {
  const pages = await queries
    .selectFrom('attempts')
    .innerJoin('orders', 'orders.id', 'attempts.orderId')
    .where('attempts.flow', '=', 'hosted')
    .where('attempts.state', 'in', ['open', 'superseded'])
    .where('attempts.gatewayId', 'is not', null)
    .where('attempts.offerEndsAt', '>', at)
    .where('orders.state', '<>', 'paid')
    .select(({ fn }) => fn.max('attempts.offerEndsAt').as('until'))
    .executeTakeFirst();
  const links = await queries
    .selectFrom('orders')
    .where('payableUntil', '>', at)
    .whereRef('id', '<>', 'cartId')
    .where('state', '<>', 'paid')
    .select(({ fn, eb }) => [
      fn.countAll<number | string>().as('all'),
      fn.sum<number | string | null>(eb.case().when('payableUntil', '<=', opensAt).then(1).else(0).end()).as('ended'),
    ])
    .executeTakeFirst();
  return {
    pagesUntil: pages?.until ?? undefined,
    links: Number(links?.all ?? 0),
    endedLinks: Number(links?.ended ?? 0),
  };
}
