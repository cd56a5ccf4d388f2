import type { Db } from '../../tables/database.js';

/** Deletes a recovery code. Returns false if the user has no such code: it works once. */
export async function useRecoveryCode(queries: Db, userId: string, hash: string): Promise<boolean> {
  const code = queries.deleteFrom('adminRecoveryCodes').where('userId', '=', userId).where('hash', '=', hash);
  return (await code.executeTakeFirst()).numDeletedRows === 1n;
}

/** Replaces the stored secret of a second factor, unless it changed meanwhile. Ends no session. */
export async function replaceTotpSecret(
  queries: Db,
  id: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  const user = queries.updateTable('adminUsers').set({ totpSecret: after }).where('id', '=', id);
  await user.where('totpSecret', '=', before).execute();
}

/** Records the time step of a code. Returns false if this step or a later one was used before: a code works once. */
export async function useTotpStep(queries: Db, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('adminUsers')
    .set({ totpStep: step })
    .where('id', '=', id)
    .where('totpStep', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function countRecoveryCodes(queries: Db, userId: string): Promise<number> {
  const codes = queries.selectFrom('adminRecoveryCodes').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await codes.where('userId', '=', userId).executeTakeFirstOrThrow()).count);
}

/** Replaces all recovery codes of the user. */
export async function putRecoveryCodes(queries: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await queries.deleteFrom('adminRecoveryCodes').where('userId', '=', userId).execute();
  await queries
    .insertInto('adminRecoveryCodes')
    .values(hashes.map((hash) => ({ userId, hash })))
    .execute();
}
