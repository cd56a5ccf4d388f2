import { errorName } from '../../src/domain/error-name.js';
import type { Clause, Clauses } from './clause.js';
import { paymentClauses, tokenizerClauses } from './clauses/payments.js';
import { refusalClauses } from './clauses/refusals.js';
import { sessionClauses, untestedClauses } from './clauses/sessions.js';
import type { GatewayClient } from './gateway-client.js';
import type { Target } from './target.js';

interface NamedClause {
  readonly name: string;
  readonly clause: Clause;
  /** `tokenizer`: needs TOKENIZER_URL. `payment`: also needs `--pay`. */
  readonly needs?: 'tokenizer' | 'payment';
  /** Why no run tests the clause. */
  readonly untested?: string;
}

const named = (clauses: Clauses, needs?: NamedClause['needs']) =>
  Object.entries(clauses).map(([name, clause]) => ({ name, clause, needs }));

/** All clauses, in the order in which they are tested. */
export const CLAUSES: readonly NamedClause[] = [
  ...named(sessionClauses),
  ...named(refusalClauses),
  ...named(tokenizerClauses, 'tokenizer'),
  ...named(paymentClauses, 'payment'),
  ...Object.entries(untestedClauses).map(([name, untested]) => ({ name, clause: async () => [], untested })),
];

export interface ClauseResult {
  readonly name: string;
  readonly differences: readonly string[];
  /** The reason why the clause was not tested. */
  readonly untested?: string;
}

/** Tests one clause. Never rejects: a missing answer is reported as a difference. */
export async function runClause(
  { name, clause, needs, untested }: NamedClause,
  gateway: GatewayClient,
  pay: boolean,
): Promise<ClauseResult> {
  const skip = (reason: string) => ({ name, differences: [], untested: reason });
  if (untested) return skip(untested);
  if (needs === 'payment' && !pay) return skip('charges test cards: use --pay');
  if (needs && gateway.target.TOKENIZER_URL === undefined) return skip('TOKENIZER_URL is not set');
  try {
    const differences = await clause(gateway);
    return { name, differences: differences.map((difference) => redact(difference, gateway.target)) };
  } catch (error) {
    return { name, differences: [`answer: expected an answer, found none: ${errorName(error)}`] };
  }
}

const MAX_CHARACTERS = 300;

/** Removes our secrets, because a gateway may echo them. */
function redact(difference: string, target: Target): string {
  let text = difference;
  for (const secret of [target.PAYMENTS_API_KEY, target.PAYMENTS_SIGNING_SECRET ?? target.PAYMENTS_API_KEY])
    text = text.replaceAll(JSON.stringify(secret).slice(1, -1), '[secret]');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
