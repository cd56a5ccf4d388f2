import { compare, type Deviation, type Expectation } from './expectation.js';
import type { Seen, Service } from './gateway.js';
import type { Target } from './target.js';

/** One testable statement of the gateway's interface. */
export interface Clause {
  readonly name: string;
  /** Section of interface.md, or `public` for a statement of the gateway's public documents only (docs/gateway-interface.md). */
  readonly section: string;
  readonly says: string;
  /** Returns why the clause cannot be tested with this target, or `undefined`. */
  readonly skippedFor?: (target: Target) => string | undefined;
  /** Returns the differences. Rejects when the gateway does not respond. */
  examine(service: Service): Promise<readonly Deviation[]>;
}

/** Statuses that do not refuse the content of the request. */
const NOT_ABOUT_THE_BODY = [401, 403, 404, 405, 408, 429];

const refusal: Expectation = {
  words: 'a refusal (400, 422 or another 4xx that is about the request)',
  holds: (status) =>
    Number(status) >= 400 && Number(status) < 500 && !NOT_ABOUT_THE_BODY.includes(Number(status)),
};

const keyRefusal: Expectation = {
  words: 'a refusal of the key (401 or 403)',
  holds: (status) => status === 401 || status === 403,
};

const success: Expectation = {
  words: 'a 2xx status',
  holds: (status) => Number(status) >= 200 && Number(status) < 300,
};

/** Expects a 4xx status that refuses the content of the request. */
export function expectRefusal(at: string, { status }: Seen): readonly Deviation[] {
  return compare(at, status, refusal);
}

/** Expects 401 or 403. */
export function expectKeyRefusal(at: string, { status }: Seen): readonly Deviation[] {
  return compare(at, status, keyRefusal);
}

/** Expects a 2xx status and JSON. */
export function expectSuccess({ status, contentType }: Seen): readonly Deviation[] {
  return [...compare('status', status, success), ...compareType(contentType)];
}

/** Expects status 201 and JSON. */
export function expectCreated({ status, contentType }: Seen): readonly Deviation[] {
  const created: Expectation = { words: '201', holds: (value) => value === 201 };
  return [...compare('status', status, created), ...compareType(contentType)];
}

function compareType(contentType: string): readonly Deviation[] {
  const json: Expectation = { words: 'application/json', holds: (value) => value === 'application/json' };
  return compare('content-type', contentType, json);
}
