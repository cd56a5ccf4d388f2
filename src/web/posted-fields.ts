import type { Request } from 'express';

/** The fields of a posted form, or the parameters of a URL. Repeated ones arrive as arrays. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of the posted form. A request without a form has none. */
export function fieldsOf(req: Request): Fields {
  return (req.body ?? {}) as Fields;
}

/** Returns a field or parameter as text. Repeated ones arrive as arrays and count as empty. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a posted field as text. */
export function postedText(req: Request, name: string): string {
  return readText(fieldsOf(req)[name]);
}
