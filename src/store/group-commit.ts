/** Write transactions that arrive together reach the disk together: one sync of the disk serves them all. */
import type LibSql from 'libsql';
import { whenFree } from './when-free.js';

/** For so many turns of the event loop a batch waits for company. With nobody about they take a tenth of a millisecond. */
const OPEN_TURNS = 10;
/** With many about each turn takes long, and all of them are in the batch soon. */
const OPEN_MS = 10;

/** What is written between one `begin` and one `commit`; each transaction in it is a savepoint of its own. */
interface Batch {
  /** Once it is on the disk; rejects when nothing of it is. */
  readonly done: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Lets transactions into the one connection that writes, one after another. Each is told that it is done only when the
 * disk has it; what is read meanwhile, through other connections, does not show it. Whoever fails takes back their own
 * part and nobody else's, unless the database itself gave up on the whole.
 */
export class GroupCommit {
  readonly #database: LibSql.Database;
  readonly #waiting: (() => void)[] = [];
  #taken: boolean = false;
  #batch: Batch | undefined;

  constructor(database: LibSql.Database) {
    this.#database = database;
  }

  /** Waits for the turn; whoever has it must `leave`, `keep` or `undo`. */
  async enter(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  /** Begins a transaction for whoever has the turn. */
  async begin(): Promise<void> {
    await this.join();
    this.#database.exec('savepoint member');
  }

  /** Begins the batch if nobody did: enough for whoever has one statement, which is done whole or not at all. */
  async join(): Promise<void> {
    if (this.#batch && !this.#database.inTransaction)
      this.lose(new Error('the database took back a transaction'));
    if (!this.#batch) {
      await whenFree(() => this.#database.exec('begin immediate'));
      const batch = newBatch();
      this.#batch = batch;
      this.#commitSoon(batch, { turns: OPEN_TURNS, endsAt: performance.now() + OPEN_MS });
    }
  }

  /** Passes the turn on, and resolves when what was written in it is on the disk. */
  written(): Promise<void> {
    this.leave();
    return this.#batch?.done ?? Promise.reject(new Error('nothing was begun'));
  }

  /** Passes the turn on, and resolves when the transaction is on the disk. */
  keep(): Promise<void> {
    try {
      this.#database.exec('release member');
    } catch (error) {
      this.leave();
      throw error;
    }
    return this.written();
  }

  /** Takes back what this transaction wrote, and passes the turn on. */
  undo(): void {
    try {
      // A full disk takes everything back by itself: to ask for it again would be an error that hides the first.
      if (this.#database.inTransaction) this.#database.exec('rollback to member; release member');
    } finally {
      this.leave();
    }
  }

  /** Ends a batch that the database gave up on, with what it said. */
  lose(error: unknown): void {
    this.#batch?.reject(error);
    this.#batch = undefined;
  }

  /** Writes down what there is; for whoever has the turn and cannot work inside a transaction. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    try {
      await whenFree(() => this.#database.exec('commit'));
      batch.resolve();
    } catch (error) {
      // Told first: what cannot even be taken back is met by whoever begins next.
      batch.reject(error);
      if (this.#database.inTransaction) this.#database.exec('rollback');
    }
  }

  /** Whoever joins meanwhile saves a sync of the disk. */
  #commitSoon(batch: Batch, { turns, endsAt }: { readonly turns: number; readonly endsAt: number }): void {
    setImmediate(() => {
      if (turns > 1 && performance.now() < endsAt) this.#commitSoon(batch, { turns: turns - 1, endsAt });
      else void this.#commit(batch);
    });
  }

  async #commit(batch: Batch): Promise<void> {
    await this.enter();
    try {
      if (this.#batch === batch) await this.flush();
    } catch {
      // Everybody of the batch has been told.
    } finally {
      this.leave();
    }
  }
}

function newBatch(): Batch {
  const { promise, resolve, reject } = withResolvers();
  // Everybody of a batch may have taken their part back: then nobody waits for it.
  promise.catch(() => {});
  return { done: promise, resolve, reject };
}

function withResolvers(): {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((onDone, onLost) => {
    resolve = onDone;
    reject = onLost;
  });
  return { promise, resolve, reject };
}
