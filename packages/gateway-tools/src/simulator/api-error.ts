/** Error responses (docs/gateway-interface.md; the interface shows none), and the validation of bodies. */
import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';

/** Field of the request → its problem. */
type FieldErrors = Readonly<Record<string, string>>;

/** Thrown by an endpoint; becomes the documented error body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: FieldErrors;

  constructor(status: number, code: string, message: string, details: FieldErrors = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function errorBody({ status, code, message, details }: ApiError): unknown {
  return { error: { code, message, type: typeOf(status), details }, request_id: randomUUID() };
}

function typeOf(status: number): string {
  if (status >= 500) return 'server_error';
  if (status === 422) return 'validation_error';
  return status === 401 ? 'auth_error' : 'request_error';
}

export function malformed(message: string): ApiError {
  return new ApiError(400, 'malformed_request', message);
}

/** 400 when a field is missing, 422 when a type is wrong or a value breaks a rule. */
export function invalid(details: FieldErrors, status: 400 | 422): ApiError {
  const fields = Object.keys(details);
  const ownCode = fields.length === 1 ? codeByField[fields[0] ?? ''] : undefined;
  const code = status === 400 ? 'missing_field' : (ownCode ?? 'validation_error');
  return new ApiError(status, code, `The request breaks a rule at: ${fields.join(', ')}.`, details);
}

const codeByField: FieldErrors = {
  amount: 'invalid_amount',
  amount_total: 'invalid_amount',
  currency: 'invalid_currency',
  'customer.email': 'invalid_email',
};

/** Distinguishes the bodies that were sent with one idempotency key. */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

export function keyConflict(header: string): ApiError {
  const details = { [header]: 'belongs to another request' };
  return new ApiError(422, 'idempotency_conflict', `This ${header} was used with another body.`, details);
}

/** Returns the body; throws an `ApiError` that lists all problems. */
export function validate<T>(body: unknown, schema: z.ZodType<T>): T {
  if (!isRecord(body)) throw malformed('The body must be a JSON object.');
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const details = error.issues.map(({ path, message }) => [path.join('.'), message]);
  const isMissing = (path: readonly PropertyKey[]) =>
    path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), body) === undefined;
  const incomplete = error.issues.some(({ path }) => isMissing(path));
  throw invalid(Object.fromEntries(details), incomplete ? 400 : 422);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
