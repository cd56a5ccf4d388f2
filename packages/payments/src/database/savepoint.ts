/** A part of a transaction that may fail alone. Works with group commit on SQLite, and on PostgreSQL after a failed statement. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type KyselyPlugin, type QueryExecutorProvider, sql } from 'kysely';
import { isDatabaseError, isRepeatable } from './database-error.js';
import { TransactionOverError } from './transaction-scope.js';

/** What a part returned, or why it was rolled back. */
export type PartResult<R> = { readonly ok: true; readonly value: R } | { readonly ok: false; readonly error: unknown };

interface Part {
  isRolledBack: boolean;
  readonly outer: Part | undefined;
}

const parts = new AsyncLocalStorage<Part>();

/** Throws in code of a part that was rolled back and still runs. */
export function refuseAfterRollback(): void {
  for (let part = parts.getStore(); part; part = part.outer)
    if (part.isRolledBack) throw new TransactionOverError('this part of the transaction was rolled back');
}

/** Refuses the late statements of a part. */
export const savepointPlugin: KyselyPlugin = {
  transformQuery({ node }) {
    refuseAfterRollback();
    return node;
  },
  transformResult: async ({ result }) => result,
};

class SavepointTimeoutError extends Error {
  override readonly name = 'SavepointTimeoutError';
}

/**
 * Runs a part of the transaction `tx`. If it throws, or takes longer than `limitMs`, it is rolled back alone, and what it still
 * executes is refused. Throws if the database ended or aborted the transaction, which must then be repeated as a whole.
 */
export async function runPart<R>(
  tx: QueryExecutorProvider,
  work: () => Promise<R>,
  limitMs: number,
): Promise<PartResult<R>> {
  await sql`savepoint part`.execute(tx);
  const part: Part = { isRolledBack: false, outer: parts.getStore() };
  try {
    const value = await within(limitMs, () => parts.run(part, work));
    await sql`release savepoint part`.execute(tx);
    return { ok: true, value };
  } catch (error) {
    part.isRolledBack = true;
    if (isRepeatable(error)) throw error;
    await rollBack(tx, error);
    return { ok: false, error };
  }
}

async function rollBack(tx: QueryExecutorProvider, error: unknown): Promise<void> {
  try {
    await sql`rollback to savepoint part`.execute(tx);
    await sql`release savepoint part`.execute(tx);
  } catch (failed) {
    // The connection is lost, or the database rolled back the whole transaction.
    throw isDatabaseError(error) ? error : failed;
  }
}

async function within<R>(ms: number, work: () => Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SavepointTimeoutError('it took too long')), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
