import { isPostgres } from '@tianguis/payments/database';
import { type Centavos, centavos, UNCERTAIN_STATES } from '@tianguis/payments/rules';
import { type Selectable, sql } from 'kysely';
import { CLIENT_LEVELS, type ClientKeys } from '../../shop/rules/stock.js';
import type { Db } from '../../tables/database.js';
import type { TakenUses } from './rules.js';
import type { DiscountCodesTable, DiscountUsesTable } from './tables.js';

export type DiscountCode = Readonly<Selectable<DiscountCodesTable>>;

export function findCode(queries: Db, code: string): Promise<DiscountCode | undefined> {
  return queries.selectFrom('discountCodes').selectAll().where('code', '=', code).executeTakeFirst();
}

/** Locks the code until the transaction ends. Only PostgreSQL needs it: SQLite has one writer. */
export async function lockCode(queries: Db, code: string): Promise<void> {
  if (!isPostgres(queries)) return;
  await queries.selectFrom('discountCodes').select('code').where('code', '=', code).forUpdate().execute();
}

/** Selects the orders of a cart whose payment may still arrive. Its next order does not take over their uses. */
function uncertainOrders(queries: Db, cartId: string) {
  const orders = queries.selectFrom('orders').select('id').where('cartId', '=', cartId);
  return orders.where('state', 'in', UNCERTAIN_STATES);
}

/** Counts the uses of a code by other orders than those that the next one of the cart replaces, and those of this client. */
export async function countTaken(
  queries: Db,
  code: string,
  { cartId, client, at }: { readonly cartId: string; readonly client?: ClientKeys | undefined; readonly at: number },
): Promise<TakenUses> {
  const uses = queries.selectFrom('discountUses').where('code', '=', code);
  const ofClient = (member: keyof ClientKeys) =>
    client?.[member]
      ? sql<number | null>`sum(case when ${sql.ref(member)} = ${client[member]} then 1 else 0 end)`
      : sql<number>`0`;
  // Each part reads a range of the index. One statement, because a payment between two would be counted by neither.
  const paid = uses.where('usedAt', 'is not', null).select(({ fn }) => fn.countAll<number>().as('paid'));
  const held = uses
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .select(CLIENT_LEVELS.map(({ member }) => ofClient(member).as(member)))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .where((eb) => eb.or([eb('cartId', '<>', cartId), eb('orderId', 'in', uncertainOrders(queries, cartId))]));
  const counted = queries.selectFrom([paid.as('paidUses'), held.as('heldUses')]).selectAll();
  const taken = await counted.executeTakeFirstOrThrow();
  const levels = CLIENT_LEVELS.map(({ member }) => [member, Number(taken[member] ?? 0)] as const);
  return { paid: Number(taken.paid), held: Number(taken.held), heldBy: Object.fromEntries(levels) };
}

/** Stores the use of an unpaid order. One that has ended begins again. */
export async function putUse(queries: Db, use: Omit<DiscountUsesTable, 'usedAt'>): Promise<void> {
  const { orderId: _orderId, code: _code, cartId: _cartId, ...renewed } = use;
  await queries
    .insertInto('discountUses')
    .values({ ...use, usedAt: null })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(renewed).where('discountUses.usedAt', 'is', null))
    .execute();
}

/** Returns whether the order has a use that is set aside. */
export async function hasUse(queries: Db, orderId: string, at: number): Promise<boolean> {
  const use = queries.selectFrom('discountUses').select('code').where('orderId', '=', orderId);
  return (await use.where('expiresAt', '>', at).executeTakeFirst()) !== undefined;
}

/** Sets the use of an unpaid order aside until a later time. One that has ended stays so. */
export async function prolongUse(
  queries: Db,
  orderId: string,
  { until, at }: { readonly until: number; readonly at: number },
): Promise<void> {
  const use = queries.updateTable('discountUses').set({ expiresAt: until }).where('orderId', '=', orderId);
  const held = use.where('usedAt', 'is', null).where('expiresAt', '>', at);
  await held.where('expiresAt', '<', until).execute();
}

/** Returns the use of the code that the order has set aside that the next one of the cart replaces. */
export function findCartUse(
  queries: Db,
  code: string,
  cartId: string,
  at: number,
): Promise<Pick<DiscountUsesTable, 'orderId' | 'expiresAt'> | undefined> {
  const uses = queries.selectFrom('discountUses').select(['orderId', 'expiresAt']).where('cartId', '=', cartId);
  const held = uses.where('code', '=', code).where('usedAt', 'is', null).where('expiresAt', '>', at);
  return held.where('orderId', 'not in', uncertainOrders(queries, cartId)).executeTakeFirst();
}

/** Ends what the unpaid orders of a cart have set aside that this one replaces. */
export async function endOtherUses(
  queries: Db,
  { id, cartId }: { readonly id: string; readonly cartId: string },
  at: number,
): Promise<void> {
  const ending = queries.updateTable('discountUses').set({ expiresAt: at }).where('cartId', '=', cartId);
  const unpaid = ending.where('orderId', '<>', id).where('usedAt', 'is', null).where('expiresAt', '>', at);
  await unpaid.where('orderId', 'not in', uncertainOrders(queries, cartId)).execute();
}

/**
 * Ends the use of an unpaid order at a time, if it would end later. One that lasts as long as the order is payable stays as it is.
 */
export async function endUse(
  queries: Db,
  { id, payableUntil }: { readonly id: string; readonly payableUntil: number | null },
  expiresAt: number,
): Promise<void> {
  const use = queries.updateTable('discountUses').set({ expiresAt }).where('orderId', '=', id);
  const later = use.where('usedAt', 'is', null).where('expiresAt', '>', expiresAt);
  await later.where('expiresAt', '<>', payableUntil ?? 0).execute();
}

/**
 * Extends the use of an unpaid order. One that has ended stays so, because other orders may have it. One that lasts as long as the
 * order is payable stays as it is.
 */
export async function extendUse(
  queries: Db,
  { id, payableUntil }: { readonly id: string; readonly payableUntil: number | null },
  { at, byMs }: { readonly at: number; readonly byMs: number },
): Promise<void> {
  const use = queries.updateTable('discountUses').set((eb) => ({ expiresAt: eb('expiresAt', '+', byMs) }));
  const held = use.where('orderId', '=', id).where('usedAt', 'is', null).where('expiresAt', '>', at);
  await held.where('expiresAt', '<>', payableUntil ?? 0).execute();
}

/** Counts the use of a paid order, also if its row expired, and removes what names the client. */
export async function markUsed(
  queries: Db,
  order: { readonly id: string; readonly cartId: string; readonly discountCode: string },
  at: number,
): Promise<void> {
  const paid = { addressKey: '', siteKey: '', networkKey: '', expiresAt: at, usedAt: at };
  const { id: orderId, cartId, discountCode: code } = order;
  await queries
    .insertInto('discountUses')
    .values({ orderId, code, cartId, ...paid })
    .onConflict((conflict) => conflict.column('orderId').doUpdateSet(paid).where('discountUses.usedAt', 'is', null))
    .execute();
}

/** Returns whether the code is new. */
export async function insertCode(queries: Db, code: DiscountCodesTable): Promise<boolean> {
  const inserting = queries.insertInto('discountCodes').values(code);
  const { numInsertedOrUpdatedRows } = await inserting
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the price of the most expensive product on sale, or 0. */
export async function findHighestPrice(queries: Db): Promise<Centavos> {
  const products = queries.selectFrom('products').where('visible', '=', 1);
  const highest = await products.select(({ fn }) => fn.max('price').as('price')).executeTakeFirst();
  return centavos(Number(highest?.price ?? 0));
}

/** Ends a code. One that was ended before stays as it is. */
export async function endCode(
  queries: Db,
  code: string,
  { at, by }: { readonly at: number; readonly by: string },
): Promise<'ended' | 'before' | 'unknown'> {
  const ending = queries.updateTable('discountCodes').set({ endedAt: at, endedBy: by }).where('code', '=', code);
  const { numUpdatedRows } = await ending.where('endedAt', 'is', null).executeTakeFirst();
  if (numUpdatedRows === 1n) return 'ended';
  return (await findCode(queries, code)) ? 'before' : 'unknown';
}

/** Returns codes, first those that were not ended, then the newest. */
export function findCodes(queries: Db, limit: number): Promise<readonly DiscountCode[]> {
  const codes = queries.selectFrom('discountCodes').selectAll();
  const open = codes.orderBy(sql`case when ended_at is null then 0 else 1 end`);
  return open.orderBy('createdAt', 'desc').orderBy('code', 'desc').limit(limit).execute();
}

/** The uses of a code, and what its paid orders brought less their refunds, in centavos. */
export interface Uses {
  readonly paid: number;
  readonly held: number;
  readonly revenue: number;
}

export async function findUses(queries: Db, codes: readonly string[], at: number): Promise<ReadonlyMap<string, Uses>> {
  if (codes.length === 0) return new Map();
  const sums = await queries
    .selectFrom('discountUses')
    .innerJoin('orders', 'orders.id', 'discountUses.orderId')
    .select('discountUses.code')
    .select([
      sql<number | string>`sum(case when used_at is not null then 1 else 0 end)`.as('paid'),
      sql<number | string>`sum(case when used_at is null and expires_at > ${at} then 1 else 0 end)`.as('held'),
      sql<number | string>`sum(case when used_at is not null then orders.total else 0 end)`.as('total'),
    ])
    .where('discountUses.code', 'in', codes)
    .groupBy('discountUses.code')
    .execute();
  const refunds = await queries
    .selectFrom('discountUses')
    .innerJoin('orders', 'orders.id', 'discountUses.orderId')
    .innerJoin('refunds', (join) =>
      join.onRef('refunds.orderId', '=', 'orders.id').onRef('refunds.attemptId', '=', 'orders.paidAttemptId'),
    )
    .select(({ fn }) => ['discountUses.code', fn.sum<number | string>('refunds.amount').as('total')])
    .where('discountUses.code', 'in', codes)
    .where('discountUses.usedAt', 'is not', null)
    .where('refunds.refundedOn', 'is not', null)
    .groupBy('discountUses.code')
    .execute();
  const refunded = new Map(refunds.map(({ code, total }) => [code, Number(total)]));
  return new Map(
    sums.map(({ code, paid, held, total }) => [
      code,
      { paid: Number(paid), held: Number(held), revenue: Number(total) - (refunded.get(code) ?? 0) },
    ]),
  );
}
