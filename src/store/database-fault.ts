/** SQLite: held by another program, full, or its file is gone or cannot be written. */
const SQLITE_FAULTS = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOTADB|CORRUPT)/;
/** PostgreSQL: connection, conflict, resources, lock not had, shut down, its own system, standing by. */
const POSTGRES_FAULTS = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^55P03$|^25006$/;
const SOCKET_FAULTS = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)$|^ENOTFOUND$/;
/** The driver gives these no code. */
const DRIVER_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

/** Whether the database itself failed, as any may for a while: nothing was wrong with what was asked of it. */
export function isDatabaseFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const code = 'code' in error ? String(error.code) : '';
  const message = 'message' in error ? String(error.message) : '';
  return (
    [SQLITE_FAULTS, POSTGRES_FAULTS, SOCKET_FAULTS].some((form) => form.test(code)) ||
    DRIVER_WORDS.test(message)
  );
}
