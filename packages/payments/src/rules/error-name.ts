const MAX_CHAIN = 4;

/**
 * Returns class and code of an error and of its causes, outermost first: `ShopError < SqliteError:SQLITE_BUSY`.
 * Excludes messages, because they may quote customer input.
 */
export function errorName(error: unknown): string {
  const names = [nameOf(error)];
  let cause = causeOf(error);
  while (cause !== undefined && names.length < MAX_CHAIN) {
    names.push(nameOf(cause));
    cause = causeOf(cause);
  }
  return names.join(' < ');
}

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const name = 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${name}:${error.code}` : name;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
