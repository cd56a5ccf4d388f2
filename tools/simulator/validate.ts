/** Validates a body against its rules and reports each broken rule. */
import { z } from 'zod';
import { type Details, invalid, Refusal } from './refusal.js';

/** A web address that a browser may be sent to. */
export const webAddress = z.string().refine(isWebAddress, 'must be an absolute http or https address');

export const email = z.email('must be an e-mail address').max(320, 'must have at most 320 characters');

export const name = z
  .string()
  .max(255, 'must have at most 255 characters')
  .refine((text) => text.trim() !== '', 'must not be empty');

export const metadata = z.record(z.string(), z.unknown()).optional();

export const mxn = z.literal('MXN', 'must be MXN');

export interface Rules<T> {
  readonly schema: z.ZodType<T>;
  /** Rules that need more than one member, or the clock. */
  readonly across: (body: Readonly<Record<string, unknown>>) => Details;
}

/** Returns the body; throws a refusal that lists all problems. */
export function accept<T>(body: unknown, rules: Rules<T>): T {
  if (!isRecord(body)) throw notAnObject();
  const parsed = rules.schema.safeParse(body);
  const issues = parsed.success ? [] : parsed.error.issues;
  const across = rules.across(body);
  const details = {
    ...across,
    ...Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message])),
  };
  if (parsed.success && Object.keys(across).length === 0) return parsed.data;
  const malformed =
    issues.some(({ code }) => code === 'invalid_type') ||
    Object.keys(across).some((path) => valueAt(body, path.split('.')) === undefined) ||
    issues.some(({ path }) => valueAt(body, path) === undefined);
  throw invalid(details, malformed);
}

/** Returns whether the value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(): Refusal {
  return new Refusal({
    status: 400,
    code: 'malformed_request',
    type: 'request_error',
    message: 'The body must be a JSON object.',
  });
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  return /^https?:$/.test(new URL(text).protocol);
}
