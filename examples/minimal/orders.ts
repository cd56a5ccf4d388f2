/** The shop's own data: products in an array, carts in sessions, orders in one table. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import * as door from '@tianguis/payments';
import type { DatabaseOf } from '@tianguis/payments/database';
import { centavos, type PaymentFlow, sum, times } from '@tianguis/payments/rules';
import { type Kysely, type Selectable, sql } from 'kysely';

export const PRODUCTS = [
  { id: 'cafe', name: 'Café de Chiapas, 500 g', price: centavos(24_900) },
  { id: 'copita', name: 'Copita de barro negro', price: centavos(9_950) },
  { id: 'rebozo', name: 'Rebozo de algodón', price: centavos(89_000) },
] as const;
/** Longer than a session, so that no cart has an order that can no longer be paid. */
const PAYABLE_MS = 365 * 24 * 60 * 60_000;
export interface Cart {
  /** Each change gives another key, so that one content becomes at most one order. */
  readonly key: string;
  /** The key of an earlier content that became an order. */
  readonly earlierKey?: string | undefined;
  readonly quantities: Readonly<Record<string, number>>;
}
export type Contact = Readonly<Record<'firstName' | 'lastName' | 'email', string>>;
export interface Tables extends door.PaymentTables {
  orders: door.PayableOrdersTable & Contact & { readonly cartKey: string; readonly lines: string };
}
export type Order = Readonly<Selectable<Tables['orders']>>;
type Lines = door.OrderDescription['lines'];
export async function createTables({ queries }: DatabaseOf<Tables>): Promise<void> {
  await sql`create table if not exists orders (id text primary key, cart_key text not null unique, lines text not null,
    first_name text not null, last_name text not null, email text not null)`.execute(queries);
  // Throws in the database of another program, which has another table of this name.
  await sql`select cart_key, lines from orders limit 1`.execute(queries);
  await door.createPaymentTables(queries, { orders: 'add_columns' });
}

export function linesOf(cart: Cart | undefined): Lines {
  return PRODUCTS.flatMap(({ id, name, price }) => {
    const quantity = cart?.quantities[id] ?? 0;
    return quantity > 0 ? [{ productId: id, name, unitPrice: price, quantity }] : [];
  });
}
export const totalOf = (lines: Lines) => sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)));
export const seenOf = (lines: Lines) => createHash('sha256').update(JSON.stringify(lines)).digest('base64url');
export const linesOfOrder = (order: Pick<Order, 'lines'>): Lines => JSON.parse(order.lines);
export function findOrder(queries: Kysely<Tables>, column: 'id' | 'cartKey', value = '') {
  return queries.selectFrom('orders').selectAll().where(column, '=', value).executeTakeFirst();
}
export function findPaid(queries: Kysely<Tables>, { key = '', earlierKey = '' }: Partial<Cart> = {}) {
  const placed = queries.selectFrom('orders').selectAll().where('cartKey', 'in', [key, earlierKey]);
  return placed.where('state', '=', 'paid').executeTakeFirst();
}

export async function changeCart(queries: Kysely<Tables>, cart: Cart | undefined, id: string, quantity: number) {
  const order = await findOrder(queries, 'cartKey', cart?.key);
  const quantities = { ...cart?.quantities, [id]: quantity };
  return { key: randomUUID(), earlierKey: order?.cartKey ?? cart?.earlierKey, quantities };
}

/** Places the order of a cart. A double click gets the same one. See `Payments.place`. */
export async function placeOrder(
  { queries }: DatabaseOf<Tables>,
  payments: door.Payments<Tables>,
  cart: Cart,
  { contact, ...paid }: { readonly contact: Contact; readonly flow: PaymentFlow; readonly payAgain: boolean },
) {
  const lines = linesOf(cart);
  const placed = await payments.place({
    ...paid,
    number: `EX${randomBytes(5).toString('hex')}`,
    total: totalOf(lines),
    payableUntil: Date.now() + PAYABLE_MS,
    earlier: (await findOrder(queries, 'cartKey', cart.earlierKey))?.id,
    find: (tx) => findOrder(tx, 'cartKey', cart.key),
    same: (order) => order.lines === JSON.stringify(lines),
    insert(tx, payment) {
      const order = { id: randomUUID(), cartKey: cart.key, lines: JSON.stringify(lines), ...contact, ...payment };
      return tx.insertInto('orders').values(order).returning('id').executeTakeFirstOrThrow();
    },
  });
  const { id, version } = placed.order;
  const correction = queries.updateTable('orders').set({ ...contact, version: version + 1 });
  if (placed.kind === 'placed') await correction.where('id', '=', id).where('version', '=', version).execute();
  return placed;
}
