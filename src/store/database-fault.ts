/** SQLite: held by another program, full, or its file is gone or cannot be written. */
const SQLITE_FAULTS = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT)/;
/** PostgreSQL: connection, conflict, resources, lock not had, shut down, its own system, standing by. */
const POSTGRES_FAULTS = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^55P03$|^25006$/;
const SOCKET_FAULTS = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/** The driver gives these no code. */
const DRIVER_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Crowded, held by another or just starting again: what will not be so for long. */
const PASSING_FAULTS = /^SQLITE_(?:BUSY|LOCKED)|^(?:08|40|53|57)[0-9A-Z]{3}$|^55P03$/;

/** Whether the database itself failed, as any may for a while: nothing was wrong with what was asked of it. */
export function isDatabaseFault(error: unknown): boolean {
  const { code } = wordsOf(error);
  return SQLITE_FAULTS.test(code) || POSTGRES_FAULTS.test(code) || isConnectionFault(error);
}

/** Whether it is worth while to ask the same again in a moment. */
export function isPassingFault(error: unknown): boolean {
  return PASSING_FAULTS.test(wordsOf(error).code) || isConnectionFault(error);
}

function isConnectionFault(error: unknown): boolean {
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
