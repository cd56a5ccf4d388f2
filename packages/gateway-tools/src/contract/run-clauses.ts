import type { Clause } from './clause.js';
import { guidedPayments, paymentClauses, tokenizerClauses } from './clauses/payments.js';
import { refusalClauses } from './clauses/refusals.js';
import { guidedSessions, sessionClauses } from './clauses/sessions.js';
import type { GatewayClient } from './gateway-client.js';
import type { Target } from './target.js';
import { NotTested, type Tester } from './tester.js';

/** All clauses, in the order in which they are tested. */
export const CLAUSES: readonly Clause[] = [
  ...sessionClauses,
  ...refusalClauses,
  ...tokenizerClauses,
  ...paymentClauses,
  ...guidedSessions,
  ...guidedPayments,
];

/** Rules of the document that no run tests, each with its section and the reason. */
export const UNTESTED: readonly (readonly [rule: string, section: string, reason: string])[] = [
  ['pending_url', '2.4.1', 'for payment methods that do not exist yet'],
  ['TLS 1.2 or higher', '5', 'Node.js connects with TLS 1.2 and higher only, so an older version cannot be offered'],
  ['webhooks', '6', 'their form is not shown; the shop only takes them as a reason for a lookup'],
  ['production keys', '5', 'tests never use them'],
  ['raw card data', '1', 'the shop never has it'],
  [
    'pages of the hosted checkout',
    '3.1',
    'their look, 3D Secure on them, and ui_config on them are for a person to see',
  ],
];

export interface RunOptions {
  readonly pay: boolean;
  /** Absent: no step in a browser. */
  readonly tester?: Tester | undefined;
}

export interface ClauseResult extends Clause {
  readonly differences: readonly string[];
  /** Differences that the gateway's public documents have too, and that the shop accepts. */
  readonly published: readonly string[];
  /** The reason why the clause was not tested. */
  readonly untested?: string;
}

/** Tests one clause. Never rejects: a missing answer is reported as a difference. */
export async function runClause(clause: Clause, gateway: GatewayClient, options: RunOptions): Promise<ClauseResult> {
  const reason = reasonToSkip(clause, gateway.target, options);
  if (reason) return { ...NONE, ...clause, untested: reason };
  try {
    const found = (await clause.test(gateway, options.tester ?? noTester)).map((each) => redact(each, gateway.target));
    const isPublished = (difference: string) => PUBLISHED.test(difference);
    return { ...clause, differences: found.filter((each) => !isPublished(each)), published: found.filter(isPublished) };
  } catch (error) {
    if (error instanceof NotTested) return { ...NONE, ...clause, untested: error.message };
    return { ...NONE, ...clause, differences: [`answer: expected an answer, found none: ${codeOf(error)}`] };
  }
}

/** The code of an error, else its class. Never its message, which may hold the key. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

const NONE = { differences: [], published: [] };
/** docs/gateway-interface.md lists these conflicts. */
const PUBLISHED =
  /^(?:transaction_id: expected a text, found \d+|status: expected "authorized", found "Success"|amount: expected 150, found "150\.0000")$/;

function reasonToSkip({ needs }: Clause, { TOKENIZER_URL }: Target, { pay, tester }: RunOptions): string | undefined {
  if (needs && needs !== 'tokenizer' && !pay) return 'charges test cards: use --pay';
  if ((needs === 'tester' || needs === 'page') && !tester) return 'needs steps in a browser: use --pay --guided';
  return needs && needs !== 'page' && TOKENIZER_URL === undefined ? 'TOKENIZER_URL is not set' : undefined;
}

const noTester: Tester = () => Promise.reject(new NotTested('needs steps in a browser: use --pay --guided'));

const MAX_CHARACTERS = 300;

/** Removes our secrets, because a gateway may echo them. */
function redact(difference: string, target: Target): string {
  let text = difference;
  for (const secret of [target.PAYMENTS_API_KEY, target.PAYMENTS_SIGNING_SECRET ?? target.PAYMENTS_API_KEY])
    text = text.replaceAll(JSON.stringify(secret).slice(1, -1), '[secret]');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
