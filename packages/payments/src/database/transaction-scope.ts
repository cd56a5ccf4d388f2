/** Which transaction the running code belongs to, and how long a transaction may take. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** All in milliseconds. SQLite uses `totalMs` and `partMs` only: its statements do not wait. */
export interface TransactionLimits {
  /** A transaction that runs longer is ended by force. */
  readonly totalMs: number;
  readonly statementMs: number;
  /** Wait for a row or table that another transaction has locked. */
  readonly lockMs: number;
  /** Time without a statement, after which the server ends the transaction. A process may be frozen. */
  readonly idleMs: number;
  /** Time of a part that runs in a savepoint. Above `lockMs`, and below `idleMs` and half of `totalMs`. */
  readonly partMs: number;
}

export const TRANSACTION_LIMITS: TransactionLimits = {
  totalMs: 15_000,
  statementMs: 10_000,
  lockMs: 3_000,
  idleMs: 10_000,
  partMs: 5_000,
};

/** A statement, commit or rollback came after the transaction was done or ended by force. */
export class TransactionOverError extends Error {
  override readonly name = 'TransactionOverError';
  readonly code = 'TRANSACTION_OVER';
}

/** Code inside of a transaction used the database outside of it. It could wait for a lock that its own transaction has. */
class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError';

  constructor() {
    super('this code runs inside of a transaction: use the queries of the transaction');
  }
}

/** One call of `Database.transaction`. */
export class TransactionScope {
  readonly limits: TransactionLimits;
  /** Rejects when the transaction was ended by force. */
  readonly ended: Promise<never>;
  #reject: (error: unknown) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #hasConnection: boolean = false;
  #isDone: boolean = false;

  constructor(limits: TransactionLimits) {
    this.limits = limits;
    this.ended = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
  }

  /** The first connection is that of the transaction itself. Throws for any other until the transaction is done. */
  acquireConnection(): void {
    if (this.#isDone) return;
    if (this.#hasConnection) throw new OutsideTransactionError();
    this.#hasConnection = true;
  }

  /** Starts the time limit. `end` ends the transaction by force, and returns false if it was over. */
  begin(end: () => boolean): void {
    this.#timer = setTimeout(() => {
      if (end()) this.#reject(new TransactionOverError('the transaction took too long'));
    }, this.limits.totalMs);
  }

  /** After the end by force its code may still run, so that it is not done. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#isDone = true;
  }

  get isDone(): boolean {
    return this.#isDone;
  }
}

/** The scopes of one database. Code that a scope starts belongs to it, also after a wait. */
export class TransactionScopes {
  readonly #storage = new AsyncLocalStorage<TransactionScope>();

  get current(): TransactionScope | undefined {
    return this.#storage.getStore();
  }

  /** Throws in code that runs inside of a transaction. */
  refuseInside(): void {
    if (this.current && !this.current.isDone) throw new OutsideTransactionError();
  }

  /** Runs a transaction. Rejects as soon as it is ended by force, although `work` may still run. */
  async run<T>(limits: TransactionLimits, work: () => Promise<T>): Promise<T> {
    this.refuseInside();
    const scope = new TransactionScope(limits);
    const running = this.#storage.run(scope, work).finally(() => scope.finish());
    return Promise.race([running, scope.ended]);
  }
}
