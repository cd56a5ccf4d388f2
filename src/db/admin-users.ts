/** Users of the back office and their sign-ins. Names are unique without regard to case. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Queries } from './connection/database.js';
import type { AdminSignInsTable, AdminUsersTable } from './schema.js';

export type AdminUser = Selectable<AdminUsersTable>;

export async function hasAdminUsers(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('adminUsers').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function findAdminUser(queries: Queries, id: string): Promise<AdminUser | undefined> {
  return queries.selectFrom('adminUsers').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findAdminUserByName(queries: Queries, name: string): Promise<AdminUser | undefined> {
  return queries.selectFrom('adminUsers').selectAll().where(hasName(name)).executeTakeFirst();
}

export function findAdminUsers(queries: Queries): Promise<readonly AdminUser[]> {
  return queries.selectFrom('adminUsers').selectAll().orderBy(sql`lower(name)`).execute();
}

/** Returns false and changes nothing if the name is taken. */
export async function insertAdminUser(queries: Queries, user: AdminUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('adminUsers')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export type AdminUserChange = Pick<Updateable<AdminUsersTable>, 'passwordHash' | 'totpSecret' | 'disabledAt'> & {
  readonly updatedAt: number;
};

/** Changes a user and ends all its sessions. Returns false if there is no such user. */
export async function updateAdminUser(queries: Queries, name: string, change: AdminUserChange): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('adminUsers')
    .set((eb) => ({ ...change, sessionVersion: eb('sessionVersion', '+', 1) }))
    .where(hasName(name))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Replaces the stored secret of a second factor, unless it changed meanwhile. Ends no session. */
export async function replaceTotpSecret(
  queries: Queries,
  id: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const user = queries.updateTable('adminUsers').set({ totpSecret: after }).where('id', '=', id);
  await user.where('totpSecret', '=', before).execute();
}

/** Records the time step of a code. Returns false if this step or a later one was used before: a code works once. */
export async function useTotpStep(queries: Queries, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('adminUsers')
    .set({ totpStep: step })
    .where('id', '=', id)
    .where('totpStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function recordSignIn(queries: Queries, signIn: Insertable<AdminSignInsTable>): Promise<void> {
  await queries.insertInto('adminSignIns').values(signIn).execute();
}

function hasName(name: string) {
  return sql<boolean>`lower(name) = ${name.toLowerCase()}`;
}
