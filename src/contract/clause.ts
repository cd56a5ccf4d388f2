import { compare, type Deviation, type Expectation } from './expectation.js';
import type { Seen, Service } from './service.js';
import type { Target } from './target.js';

/** One sentence of the contract that can be tried. */
export interface Clause {
  readonly name: string;
  /** Of interface.md; `public` where only the service's public material says it (docs/service-gaps.md). */
  readonly section: string;
  readonly says: string;
  /** Why it cannot be tried with this target; absent or `undefined`: it can. */
  readonly skippedFor?: (target: Target) => string | undefined;
  /** What differs. Rejects when no answer comes. */
  examine(service: Service): Promise<readonly Deviation[]>;
}

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

export function expectRefusal(at: string, { status }: Seen): readonly Deviation[] {
  return compare(at, status, refusal);
}

export function expectKeyRefusal(at: string, { status }: Seen): readonly Deviation[] {
  return compare(at, status, keyRefusal);
}

export function expectSuccess({ status, contentType }: Seen): readonly Deviation[] {
  return [...compare('status', status, success), ...compareType(contentType)];
}

export function expectCreated({ status, contentType }: Seen): readonly Deviation[] {
  const created: Expectation = { words: '201', holds: (value) => value === 201 };
  return [...compare('status', status, created), ...compareType(contentType)];
}

function compareType(contentType: string): readonly Deviation[] {
  const json: Expectation = { words: 'application/json', holds: (value) => value === 'application/json' };
  return compare('content-type', contentType, json);
}
