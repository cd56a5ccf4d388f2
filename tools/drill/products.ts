/** The product that the customers of a drill buy: the first one on the home page. */
import { exchange, type Reply } from '../../test/support/http.js';

export interface CatalogData {
  readonly id: string;
  /** Price in centavos. */
  readonly price: number;
}

/** Finds the product through the pages of a running shop. Rejects if the shop sells nothing. */
export async function findProducts(shopUrl: string): Promise<CatalogData> {
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
  if (match === undefined) throw new Error(`the shop sells nothing: ${status}, no ${pattern.source}`);
  return match;
}
