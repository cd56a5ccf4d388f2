import type LibSql from 'libsql';
import { retryWhileBusy, WriteLock } from './sqlite-lock.js';
import { TransactionOverError } from './transaction-scope.js';

/** A batch is committed after this many event loop turns or `BATCH_MS`. Ten turns of an idle loop take 0.1 ms. */
const BATCH_TURNS = 10;
const BATCH_MS = 10;

/** Another transaction of the batch, or the database, caused a rollback. A retry may succeed. */
class BatchRolledBackError extends Error {
  override readonly name = 'BatchRolledBackError';
  readonly code = 'SQLITE_ABORT';
}

/** One transaction of a group. Only its own caller may use it, and only while it is `running`. */
export class Member {
  /** `ended`: by force. */
  state: 'running' | 'done' | 'ended' = 'running';
}

/** The members of one database transaction that wait for its commit. */
type Batch = { resolve(): void; reject(error: unknown): void }[];

/**
 * Group commit for SQLite: write transactions that arrive within one batch window share a commit, and so one fsync.
 *
 * SQLite has one writer, and every commit waits for the disk. Each transaction is a savepoint: a failure rolls back only
 * its own changes. `commit()` resolves after the fsync, so no customer is answered before the order is durable.
 */
export class GroupCommit {
  readonly #database: LibSql.Database;
  readonly #onError: (error: unknown) => void;
  readonly #lock: WriteLock;
  #batch: Batch | undefined;

  /** `onError` receives errors of a rollback. The rollback is retried before the next transaction. */
  constructor(database: LibSql.Database, onError: (error: unknown) => void, lock = new WriteLock()) {
    this.#database = database;
    this.#onError = onError;
    this.#lock = lock;
  }

  /**
   * Acquires the write lock in order of arrival and begins a transaction. The caller must call `commit()`, `rollback()` or
   * `end()`. Rejects with `DatabaseBusyError` after `deadline` (monotonic clock).
   */
  async begin(deadline: number): Promise<Member> {
    await this.#lock.acquire(deadline);
    try {
      await this.#openBatch(deadline);
      this.#database.exec('savepoint member');
      return new Member();
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Runs a statement of a transaction. Throws after its end or an automatic rollback, because no transaction is open. */
  execute<T>(member: Member, statement: () => T): T {
    assertRunning(member);
    if (!this.#database.inTransaction) throw new Error('the transaction is over');
    try {
      return statement();
    } catch (error) {
      // SQLite rolls back the whole transaction automatically when the disk is full.
      if (!this.#database.inTransaction) this.#rejectBatch(error);
      throw error;
    }
  }

  /** Releases the savepoint and the lock. Resolves when the batch is on disk; rejects if it could not be committed. */
  async commit(member: Member): Promise<void> {
    assertRunning(member);
    member.state = 'done';
    try {
      this.#database.exec('release member');
    } catch (error) {
      this.#rollBackBatch(new BatchRolledBackError('a savepoint was not released', { cause: error }));
      this.#lock.release();
      throw error;
    }
    const committed = new Promise<void>((resolve, reject) => this.#batch?.push({ resolve, reject }));
    this.#lock.release();
    await committed;
  }

  /** Rolls back this transaction only, or the batch if that fails, and releases the lock. Does nothing after a commit, even a failed one. */
  rollback(member: Member): void {
    if (member.state === 'done') return;
    assertRunning(member);
    this.#undo(member, 'done');
  }

  /** Ends a transaction by force: rolls it back, and no later statement of it runs. Returns false if it was over. */
  end(member: Member): boolean {
    if (member.state !== 'running') return false;
    this.#undo(member, 'ended');
    return true;
  }

  #undo(member: Member, state: 'done' | 'ended'): void {
    member.state = state;
    try {
      if (this.#database.inTransaction) this.#database.exec('rollback to member; release member');
    } catch (error) {
      this.#onError(error);
      // Its changes cannot be separated from the batch, so the batch must not be committed.
      this.#rollBackBatch(new BatchRolledBackError('a savepoint was not rolled back', { cause: error }));
    }
    this.#lock.release();
  }

  /** Commits the open batch, then runs `work` outside any transaction while holding the write lock. */
  async runAlone<T>(deadline: number, work: () => T): Promise<T> {
    await this.#lock.acquire(deadline);
    try {
      await this.#commitBatch();
      return work();
    } finally {
      this.#lock.release();
    }
  }

  async #openBatch(deadline: number): Promise<void> {
    if (this.#batch && this.#database.inTransaction) return;
    this.#rejectBatch(new BatchRolledBackError('the database rolled it back'));
    // A failed rollback left the transaction open. Throws if it still cannot be rolled back.
    if (this.#isInTransaction()) this.#database.exec('rollback');
    await retryWhileBusy(() => this.#database.exec('begin immediate'), deadline);
    const batch: Batch = [];
    this.#batch = batch;
    this.#scheduleCommit(batch, BATCH_TURNS, performance.now() + BATCH_MS);
  }

  #scheduleCommit(batch: Batch, turns: number, endsAt: number): void {
    setImmediate(async () => {
      if (turns > 1 && performance.now() < endsAt) return this.#scheduleCommit(batch, turns - 1, endsAt);
      await this.#lock.acquire(Number.POSITIVE_INFINITY);
      if (this.#batch === batch) await this.#commitBatch();
      this.#lock.release();
    });
  }

  /** Never throws. On failure each member of the batch is rejected with the error. */
  async #commitBatch(): Promise<void> {
    const batch = this.#batch;
    if (!batch) return;
    try {
      await retryWhileBusy(() => this.#database.exec('commit'));
      this.#batch = undefined;
      for (const member of batch) member.resolve();
    } catch (error) {
      this.#rollBackBatch(error);
    }
  }

  #rollBackBatch(error: unknown): void {
    this.#rejectBatch(error);
    try {
      if (this.#isInTransaction()) this.#database.exec('rollback');
    } catch (failed) {
      this.#onError(failed);
    }
  }

  #rejectBatch(error: unknown): void {
    for (const member of this.#batch ?? []) member.reject(error);
    this.#batch = undefined;
  }

  /** Checks `open` first: the driver aborts the process when `inTransaction` of a closed database is read. */
  #isInTransaction(): boolean {
    return this.#database.open && this.#database.inTransaction;
  }
}

function assertRunning({ state }: Member): void {
  if (state !== 'running') throw new TransactionOverError(`the transaction is ${state}`);
}
