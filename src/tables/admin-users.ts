/** Users of the back office, their sign-ins and their history. Names are unique without regard to case. */

import { isPostgres } from '@tianguis/payments/database';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from './database.js';
import type { AdminSignInsTable, AdminUserEventsTable, AdminUsersTable } from './schema.js';

export type AdminUser = Selectable<AdminUsersTable>;

export async function hasAdminUsers(queries: Db): Promise<boolean> {
  return (await queries.selectFrom('adminUsers').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function findAdminUser(queries: Db, id: string): Promise<AdminUser | undefined> {
  return queries.selectFrom('adminUsers').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findAdminUserByName(queries: Db, name: string): Promise<AdminUser | undefined> {
  return queries.selectFrom('adminUsers').selectAll().where(hasName(name)).executeTakeFirst();
}

export function findAdminUsers(queries: Db): Promise<readonly AdminUser[]> {
  return queries.selectFrom('adminUsers').selectAll().orderBy(sql`lower(name)`).execute();
}

/** Returns false and changes nothing if the name is taken. */
export async function insertAdminUser(queries: Db, user: AdminUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('adminUsers')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Locks the active managers until the transaction ends, and returns their ids. Every change of a role needs this lock. Rows
 * that reference a user can be written meanwhile.
 */
export async function lockManagers(queries: Db): Promise<readonly string[]> {
  const active = queries
    .selectFrom('adminUsers')
    .select('id')
    .where('role', '=', 'manager')
    .where('disabledAt', 'is', null);
  const locked = active.orderBy('id').$if(isPostgres(queries), (query) => query.forNoKeyUpdate());
  return (await locked.execute()).map(({ id }) => id);
}

export type AdminUserChange = Pick<
  Updateable<AdminUsersTable>,
  'passwordHash' | 'totpSecret' | 'disabledAt' | 'role' | 'email' | 'mustChangePassword'
> & { readonly updatedAt: number };

/**
 * Changes a user and ends all its sessions. Another second factor deletes the recovery codes. Another password,
 * state or address deletes the links that set a password. Returns the changed user. `undefined` if there is none with this name, or if
 * `version` is no longer its session version.
 */
export async function updateAdminUser(
  queries: Db,
  name: string,
  change: AdminUserChange,
  version?: number,
): Promise<AdminUser | undefined> {
  const user = await queries
    .updateTable('adminUsers')
    .set((eb) => ({ ...change, sessionVersion: eb('sessionVersion', '+', 1) }))
    .where(hasName(name))
    .$if(version !== undefined, (query) => query.where('sessionVersion', '=', version ?? 0))
    .returningAll()
    .executeTakeFirst();
  if (!user) return undefined;
  if (change.totpSecret !== undefined)
    await queries.deleteFrom('adminRecoveryCodes').where('userId', '=', user.id).execute();
  if (change.passwordHash !== undefined || change.disabledAt !== undefined || change.email !== undefined)
    await queries.deleteFrom('adminLinks').where('userId', '=', user.id).execute();
  return user;
}

type AdminUserEvent = Omit<Insertable<AdminUserEventsTable>, 'roleBefore' | 'role'> &
  Partial<Pick<AdminUserEventsTable, 'roleBefore' | 'role'>>;

/** Adds an entry to the history. Call it in the transaction of the change. */
export async function recordUserEvent(queries: Db, event: AdminUserEvent): Promise<void> {
  await queries
    .insertInto('adminUserEvents')
    .values({ roleBefore: '', role: '', ...event })
    .execute();
}

export async function recordSignIn(queries: Db, signIn: Insertable<AdminSignInsTable>): Promise<void> {
  await queries.insertInto('adminSignIns').values(signIn).execute();
}

function hasName(name: string) {
  return sql<boolean>`lower(name) = ${name.toLowerCase()}`;
}
