/** Error responses (docs/gateway-interface.md; the interface shows none). */

type RefusalType = 'request_error' | 'auth_error' | 'validation_error' | 'server_error';

/** Member of the request → what is wrong with it. */
export type Details = Readonly<Record<string, string>>;

export interface RefusalReason {
  readonly status: number;
  readonly code: string;
  readonly type: RefusalType;
  readonly message: string;
  readonly details?: Details;
}

/** Thrown by an endpoint; becomes the documented error body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Returns the documented error body. */
export function refusalBody({ code, message, type, details }: RefusalReason, requestId: string): unknown {
  return { error: { code, message, type, details: details ?? {} }, request_id: requestId };
}

/** For an id that does not exist. */
export function notFound(what: string): Refusal {
  return new Refusal({ status: 404, code: 'not_found', type: 'request_error', message: `No such ${what}.` });
}

/** 400 when something is missing or of the wrong type, 422 when all is there but a rule is broken. */
export function invalid(details: Details, malformed: boolean): Refusal {
  const names = Object.keys(details);
  return new Refusal({
    status: malformed ? 400 : 422,
    code: codeFor(names, malformed),
    type: malformed ? 'request_error' : 'validation_error',
    message: `The request breaks a rule at: ${names.join(', ')}.`,
    details,
  });
}

const codeByMember: Readonly<Record<string, string>> = {
  amount: 'invalid_amount',
  amount_total: 'invalid_amount',
  currency: 'invalid_currency',
  'customer.email': 'invalid_email',
};

function codeFor(names: readonly string[], malformed: boolean): string {
  if (malformed) return 'missing_field';
  return (names.length === 1 && codeByMember[names[0] ?? '']) || 'validation_error';
}
