/** Stock of the products of a test shop. */
import { findLeft } from '../../src/tables/stock.js';
import { Customer } from './customer.js';
import { allFulfillments } from './inspect.js';
import { openPageOf, payAndReturn } from './purchase.js';
import type { TestShop } from './test-shop.js';

/** A product that no other test buys. */
export const LIMITED = 'guitarra-paracho';

type Inspected = Pick<TestShop, 'queries' | 'clock'>;

/** Sets what is on hand, as the merchant does. */
export async function setStock({ queries }: Inspected, stock: number | null, id = LIMITED): Promise<void> {
  await queries.updateTable('products').set({ stock }).where('id', '=', id).execute();
}

/** Returns what is on hand. */
export async function stockOf({ queries }: Inspected, id = LIMITED): Promise<number | null> {
  const product = queries.selectFrom('products').select('stock').where('id', '=', id);
  return (await product.executeTakeFirstOrThrow()).stock;
}

/** Returns what is left for a new customer. */
export function leftOf({ queries, clock }: Inspected, id = LIMITED): Promise<number | null> {
  return findLeft(queries, id, { cartId: undefined, at: clock.now() });
}

/** Ends all reservations, as the merchant does. */
export async function endReservations({ queries, clock }: Inspected): Promise<void> {
  await queries.updateTable('reservations').set({ expiresAt: clock.now() }).execute();
}

/** Returns `stockTaken` of all fulfillments, sorted. */
export async function takesOf(shop: Inspected): Promise<readonly number[]> {
  const takes = (await allFulfillments(shop)).map(({ stockTaken }) => stockTaken);
  return takes.sort((a, b) => a - b);
}

/** Opens the hosted page for a customer with a piece of the limited product. */
export async function openLimitedPage(shop: TestShop) {
  return openPageOf(shop, await Customer.withCart(shop, { product_id: LIMITED }));
}

/** Opens a page, ends its reservation, sells the last piece to another customer, and pays the page. */
export async function oversell(shop: TestShop) {
  await setStock(shop, 1);
  const late = await openLimitedPage(shop);
  await endReservations(shop);
  await payAndReturn(shop, await openLimitedPage(shop));
  await payAndReturn(shop, late);
  return late;
}
