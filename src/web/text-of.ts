/** A field or parameter as text; doubled ones arrive as lists and count as empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
