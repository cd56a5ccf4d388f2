/** The class of an error, and nothing of its message: messages may quote what a visitor sent. */
export function faultName(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  const name = 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
  return 'code' in error && typeof error.code === 'string' ? `${name}:${error.code}` : name;
}
