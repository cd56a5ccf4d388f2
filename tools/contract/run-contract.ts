/** Tests the clauses sequentially against one gateway. */
import type { Clause } from './clause.js';
import { paymentClauses } from './clauses/payments.js';
import { refusalClauses } from './clauses/refusals.js';
import { sessionClauses } from './clauses/sessions.js';
import type { Deviation } from './expectation.js';
import { gatewayAt, type Service } from './gateway.js';
import type { Target } from './target.js';

export interface Result {
  readonly clause: Clause;
  readonly deviations: readonly Deviation[];
  /** Why the clause was not tested. */
  readonly skipped?: string;
}

/** All clauses, in the order in which they are tested. */
export const CLAUSES: readonly Clause[] = [...sessionClauses, ...refusalClauses, ...paymentClauses];

export interface Trial {
  /** Names of the clauses to test. Empty: all clauses. */
  readonly only?: readonly string[];
  /** Called with each result as soon as it is known. */
  readonly tell?: (result: Result) => void;
}

/** Never rejects: a missing response is reported as a difference. */
export async function runContract(
  target: Target,
  { only = [], tell }: Trial = {},
): Promise<readonly Result[]> {
  const service = gatewayAt(target);
  const results: Result[] = [];
  for (const clause of CLAUSES.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const result = await tryClause(clause, service);
    tell?.(result);
    results.push(result);
  }
  return results;
}

async function tryClause(clause: Clause, service: Service): Promise<Result> {
  const skipped = clause.skippedFor?.(service.target);
  if (skipped !== undefined) return { clause, deviations: [], skipped };
  try {
    const deviations = await clause.examine(service);
    return { clause, deviations: deviations.map((deviation) => withoutKey(deviation, service.target)) };
  } catch (fault) {
    return { clause, deviations: [{ at: 'answer', expected: 'an answer', found: `none: ${codeOf(fault)}` }] };
  }
}

/** Redacts the API key, because a gateway may echo it in a response. */
function withoutKey({ at, expected, found }: Deviation, { apiKey }: Target): Deviation {
  return { at, expected, found: found.replaceAll(apiKey, '[key]') };
}

function codeOf(fault: unknown): string {
  const { code, cause, name } = Object(fault) as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? String(name) : codeOf(cause);
}
