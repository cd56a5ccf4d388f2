/** What the shoppers of a drill buy: the first thing in the shop's window, whatever this shop sells. */
import { exchange, type Reply } from './http.js';

export interface Goods {
  readonly id: string;
  /** In centavos. */
  readonly price: number;
}

/** Looks around in a shop that is open; rejects when it has nothing to sell. */
export async function findGoods(shopUrl: string): Promise<Goods> {
  const window = await exchange(shopUrl, '/');
  const page = await exchange(shopUrl, found(window, /href="(\/products\/[^"]+)"/));
  const id = found(page, /name="product_id" value="([^"]+)"/);
  const added = await exchange(shopUrl, '/cart/items', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ product_id: id, quantity: '1' }).toString(),
  });
  const [cookie = ''] = added.headers['set-cookie'] ?? [];
  const checkout = await exchange(shopUrl, '/checkout', { headers: { Cookie: cookie.replace(/;.*/, '') } });
  const price = found(checkout, /name="seen_total" value="(\d+)"/);
  return { id, price: Number(price) };
}

function found({ status, text }: Reply, pattern: RegExp): string {
  const [, match] = pattern.exec(text) ?? [];
  if (match === undefined) throw new Error(`the shop shows nothing to buy: ${status}, no ${pattern.source}`);
  return match;
}
