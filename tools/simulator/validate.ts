/** Validates a body against its schema and reports each broken rule. */
import { z } from 'zod';
import { invalid, malformed } from './api-error.js';

export const webAddress = z.string().refine(isWebAddress, 'must be an absolute http or https address');

export const email = z.email('must be an e-mail address').max(320, 'must have at most 320 characters');

export const name = z
  .string()
  .max(255, 'must have at most 255 characters')
  .refine((text) => text.trim() !== '', 'must not be empty');

export const metadata = z.record(z.string(), z.unknown()).optional();

export const mxn = z.literal('MXN', 'must be MXN');

/** Returns the body; throws an `ApiError` that lists all problems. */
export function validate<T>(body: unknown, schema: z.ZodType<T>): T {
  if (!isRecord(body)) throw malformed('The body must be a JSON object.');
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const details = error.issues.map(({ path, message }) => [path.join('.'), message]);
  const incomplete = error.issues.some(({ code, path }) => code === 'invalid_type' || isMissing(body, path));
  throw invalid(Object.fromEntries(details), incomplete ? 400 : 422);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return true;
    value = Reflect.get(value, key);
  }
  return value === undefined;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
