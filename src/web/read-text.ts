/** Returns a field or parameter as text. Repeated ones arrive as arrays and count as empty. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
