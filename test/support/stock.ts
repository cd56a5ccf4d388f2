/** Stock of the products of a test shop. */
import { findLeft } from '../../src/db/stock.js';
import { Customer, sessionIdOf } from './customer.js';
import { allFulfillments, orderOfSession } from './inspect.js';
import type { TestShop } from './test-shop.js';

/** A product that no other test buys. */
export const LIMITED = 'guitarra-paracho';

type Inspected = Pick<TestShop, 'context' | 'clock'>;

/** Sets what is on hand, as the merchant does. */
export async function setStock(shop: Inspected, stock: number | null, id = LIMITED): Promise<void> {
  const { queries } = shop.context.checkout.db;
  await queries.updateTable('products').set({ stock }).where('id', '=', id).execute();
}

/** Returns what is on hand. */
export async function stockOf(shop: Inspected, id = LIMITED): Promise<number | null> {
  const { queries } = shop.context.checkout.db;
  const product = queries.selectFrom('products').select('stock').where('id', '=', id);
  return (await product.executeTakeFirstOrThrow()).stock;
}

/** Returns what is left for a new customer. */
export function leftOf(shop: Inspected, id = LIMITED): Promise<number | null> {
  const at = shop.clock.now();
  return findLeft(shop.context.checkout.db.queries, id, { cartId: undefined, at });
}

/** Returns `stockTaken` of all fulfillments, sorted. */
export async function takesOf(shop: Inspected): Promise<readonly number[]> {
  const takes = (await allFulfillments(shop)).map(({ stockTaken }) => stockTaken);
  return takes.sort((a, b) => a - b);
}

/** Opens the hosted page for a customer with pieces of the limited product. */
export async function openLimitedPage(shop: TestShop, quantity = '1') {
  const customer = await Customer.withCart(shop, { product_id: LIMITED, quantity });
  const redirect = await customer.payHosted();
  const session = sessionIdOf(redirect.headers['location']);
  const { id, token } = await orderOfSession(shop, session);
  return { customer, session, orderId: id, orderPath: `/orders/${token}` };
}

/** Pays a hosted page, and lets the customer return. */
export async function payAndReturn(
  shop: TestShop,
  page: Awaited<ReturnType<typeof openLimitedPage>>,
): Promise<void> {
  shop.clock.advance(5_000);
  shop.simulator.control.paySession(page.session);
  await page.customer.get(page.orderPath.replace('/orders/', '/checkout/return/'));
}
