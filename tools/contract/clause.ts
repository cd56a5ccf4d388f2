import { errorName } from '../../src/domain/error-name.js';
import type { GatewayClient } from './gateway-client.js';
import type { Target } from './target.js';

/** One testable statement of the gateway's interface. */
export interface Clause {
  readonly name: string;
  /** Section of docs/gateway-interface.md, or `public` for a statement of the gateway's public documents only (docs/gateway-interface.md). */
  readonly section: string;
  /** `tokenizer`: needs TOKENIZER_URL. `payment`: also needs `--pay`. */
  readonly needs?: 'tokenizer' | 'payment';
  /** Sends the requests and returns the differences. Rejects when the gateway does not answer. */
  readonly run: (gateway: GatewayClient) => Promise<readonly string[]>;
}

export interface ClauseResult {
  readonly clause: Clause;
  readonly differences: readonly string[];
  readonly skipped?: string;
}

/** Tests one clause. Never rejects: a missing answer is reported as a difference. */
export async function runClause(clause: Clause, gateway: GatewayClient): Promise<ClauseResult> {
  const { target } = gateway;
  if (clause.needs === 'payment' && !target.pays)
    return { clause, differences: [], skipped: 'charges test cards: use --pay' };
  if (clause.needs && target.tokenizerUrl === undefined)
    return { clause, differences: [], skipped: 'TOKENIZER_URL is not set' };
  try {
    const differences = await clause.run(gateway);
    return { clause, differences: differences.map((difference) => redact(difference, target)) };
  } catch (error) {
    return { clause, differences: [`answer: expected an answer, found none: ${errorName(error)}`] };
  }
}

const MAX_CHARACTERS = 300;

/** Removes our secrets, because a gateway may echo them. */
function redact(difference: string, { apiKey, signing }: Target): string {
  const secrets = [apiKey, signing?.secret].filter((secret) => secret !== undefined);
  const redacted = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), difference);
  return redacted.length > MAX_CHARACTERS ? `${redacted.slice(0, MAX_CHARACTERS)}…` : redacted;
}
