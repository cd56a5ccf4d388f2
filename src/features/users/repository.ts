import type { Queries } from '../../db/connection/database.js';

/** Returns the last sign-ins with the name of their user, newest first. The name of an unknown user is null. */
export function findSignIns(queries: Queries, limit: number) {
  return queries
    .selectFrom('adminSignIns')
    .leftJoin('adminUsers', 'adminUsers.id', 'adminSignIns.userId')
    .select(['adminSignIns.at', 'adminSignIns.result', 'adminUsers.name'])
    .orderBy('adminSignIns.id', 'desc')
    .limit(limit)
    .execute();
}
