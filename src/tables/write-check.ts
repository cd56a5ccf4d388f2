/** Checks for the readiness probe whether the database can be written to. */
import { LRUCache } from 'lru-cache';
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
  const writes = new LRUCache<'write', boolean>({
    max: 1,
    ttl: VALID_MS,
    async fetchMethod() {
      await db.transaction(async (queries) => {
        await queries.insertInto('sessions').values(PROBE).execute();
        await queries.deleteFrom('sessions').where('sid', '=', PROBE.sid).execute();
      });
      return true;
    },
  });
  return async () => {
    await writes.fetch('write');
  };
}
