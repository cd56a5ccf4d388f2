import { isPostgres } from '@tianguis/payments/database';
import type { Insertable } from 'kysely';
import type { AdminUser } from '../../tables/admin-users.js';
import type { Db } from '../../tables/database.js';
import type { Schema } from '../../tables/schema.js';

/** Returns the last sign-ins with the name of their user, newest first. The name of an unknown user is null. */
export function findSignIns(queries: Db, limit: number) {
  return queries
    .selectFrom('adminSignIns')
    .leftJoin('adminUsers', 'adminUsers.id', 'adminSignIns.userId')
    .select(['adminSignIns.at', 'adminSignIns.result', 'adminUsers.name'])
    .orderBy('adminSignIns.id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the last changes with the name of their user, newest first; with `userId` those of one user. */
export function findUserEvents(queries: Db, limit: number, userId?: string) {
  return queries
    .selectFrom('adminUserEvents')
    .innerJoin('adminUsers', 'adminUsers.id', 'adminUserEvents.userId')
    .selectAll('adminUserEvents')
    .select('adminUsers.name')
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
    .orderBy('adminUserEvents.id', 'desc')
    .limit(limit)
    .execute();
}

export async function insertLink(queries: Db, link: Insertable<Schema['adminLinks']>): Promise<void> {
  await queries.insertInto('adminLinks').values(link).execute();
}

/** Returns the active user of a link that has not expired. In a transaction, locks the user before the link. */
export function findLinkUser(queries: Db, hash: string, at: number): Promise<AdminUser | undefined> {
  return queries
    .selectFrom('adminLinks')
    .innerJoin('adminUsers', 'adminUsers.id', 'adminLinks.userId')
    .selectAll('adminUsers')
    .where('hash', '=', hash)
    .where('expiresAt', '>', at)
    .where('disabledAt', 'is', null)
    .$if(isPostgres(queries), (query) => query.forNoKeyUpdate('adminUsers'))
    .executeTakeFirst();
}

/** Returns false if the link was used: of parallel requests one gets true. */
export async function deleteLink(queries: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('adminLinks').where('hash', '=', hash).executeTakeFirst();
  return numDeletedRows === 1n;
}
