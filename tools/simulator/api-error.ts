/** Error responses (docs/gateway-interface.md; the interface shows none). */
import { randomUUID } from 'node:crypto';

/** Field of the request → its problem. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface ErrorReason {
  readonly status: number;
  readonly code: string;
  readonly type: 'request_error' | 'auth_error' | 'validation_error' | 'server_error';
  readonly message: string;
  readonly details?: FieldErrors;
}

/** Thrown by an endpoint; becomes the documented error body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: ErrorReason;

  constructor(reason: ErrorReason) {
    super(reason.message);
    this.reason = reason;
  }
}

export function errorBody({ code, message, type, details = {} }: ErrorReason): unknown {
  return { error: { code, message, type, details }, request_id: randomUUID() };
}

export function notFound(what: string): ApiError {
  return new ApiError({ status: 404, code: 'not_found', type: 'request_error', message: `No such ${what}.` });
}

export function malformed(message: string): ApiError {
  return new ApiError({ status: 400, code: 'malformed_request', type: 'request_error', message });
}

export function unauthorized(code: string, message: string): ApiError {
  return new ApiError({ status: 401, code, type: 'auth_error', message });
}

/** 400 when a field is missing or has the wrong type, 422 when a value breaks a rule. */
export function invalid(details: FieldErrors, status: 400 | 422): ApiError {
  const fields = Object.keys(details);
  const message = `The request breaks a rule at: ${fields.join(', ')}.`;
  if (status === 400) {
    return new ApiError({ status, code: 'missing_field', type: 'request_error', message, details });
  }
  const code = (fields.length === 1 && codeByField[fields[0] ?? '']) || 'validation_error';
  return new ApiError({ status, code, type: 'validation_error', message, details });
}

const codeByField: Readonly<Record<string, string>> = {
  amount: 'invalid_amount',
  amount_total: 'invalid_amount',
  currency: 'invalid_currency',
  'customer.email': 'invalid_email',
};
