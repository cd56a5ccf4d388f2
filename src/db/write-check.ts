/** Checks for the readiness probe whether the database can be written to. */
import type { Database } from './database.js';

/** A successful write is valid for 5 s, so probes cost at most one write per 5 s. */
const VALID_MS = 5_000;
/** No customer gets this session: it has expired, and the transaction that inserts it also removes it. */
const PROBE = { sid: 'readiness-probe', data: '{}', expiresAt: 0 } as const;

/**
 * Returns a function that throws unless the database can be written to. It commits a transaction that changes nothing.
 * Concurrent callers share one transaction.
 */
export function writeCheck(db: Pick<Database, 'transaction'>): () => Promise<void> {
  let validUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const write = async () => {
    try {
      await db.transaction(async (queries) => {
        await queries.insertInto('sessions').values(PROBE).execute();
        await queries.deleteFrom('sessions').where('sid', '=', PROBE.sid).execute();
      });
      validUntil = performance.now() + VALID_MS;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (performance.now() < validUntil) return;
    running ??= write();
    await running;
  };
}
