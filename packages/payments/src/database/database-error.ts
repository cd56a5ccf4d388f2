/** The file is locked, missing, read-only or corrupt, the disk is full, or the batch was rolled back. */
const SQLITE_FAULTS = /^SQLITE_(?:BUSY|LOCKED|ABORT|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT)/;
/** SQLSTATE classes 08 connection, 40 rollback, 53 resources, 57 intervention, 58 system; lock timeout; idle transaction; read-only standby. */
const POSTGRES_FAULTS = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^55P03$|^25P03$|^25006$/;
const SOCKET_FAULTS = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/** Messages of `pg` errors that have no code. */
const DRIVER_WORDS = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Transient: lock contention, conflicts, exhausted resources, a server that restarts. */
const PASSING_FAULTS = /^SQLITE_(?:BUSY|LOCKED|ABORT)|^(?:08|40|53|57)[0-9A-Z]{3}$|^55P03$|^25P03$|^TRANSACTION_OVER$/;

const UNIQUE_CONFLICT = /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$|^23505$/;

/** Returns whether the database failed and not the statement. The request may succeed later. */
export function isDatabaseError(error: unknown): boolean {
  const { code } = wordsOf(error);
  return (
    SQLITE_FAULTS.test(code) || POSTGRES_FAULTS.test(code) || code === 'TRANSACTION_OVER' || isConnectionError(error)
  );
}

/** Returns whether a statement failed because a row with the same unique key exists. */
export function isUniqueConflict(error: unknown): boolean {
  return UNIQUE_CONFLICT.test(wordsOf(error).code);
}

/** Returns whether the database reported a transient fault of the transaction. Unlike a lost connection, no other program has these codes. */
export function isRepeatable(error: unknown): boolean {
  return PASSING_FAULTS.test(wordsOf(error).code);
}

function isConnectionError(error: unknown): boolean {
  const { code, message } = wordsOf(error);
  return SOCKET_FAULTS.test(code) || DRIVER_WORDS.test(message);
}

function wordsOf(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  return {
    code: 'code' in error ? String(error.code) : '',
    message: 'message' in error ? String(error.message) : '',
  };
}
