export const CLOSED = 'connection closed';

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unknown host name'],
  // Nodemailer uses this code for all failed connections.
  [/^ESOCKET$/, 'no connection'],
  [/^EAUTH$/, 'the server refuses the user or password'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(?:TimeoutError|AbortError|ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'timeout'],
  [/^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'untrusted certificate'],
  // `pg` gives a closed connection no code.
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|Error)$/, CLOSED],
  [/^(?:28P01|28000)$/, 'the server refuses the user or password'],
  [/^3D000$/, 'no such database'],
  [/^53300$/, 'the server has too many connections'],
];

/** PgBouncer has one code for all its refusals, and texts without a secret. */
const POOLER_REFUSAL = '08P01';
const POOLER_REASONS: readonly (readonly [RegExp, string])[] = [
  [/unsupported startup parameter(?: in options)?: ([\w.]+)/, 'PgBouncer refuses the startup parameter $1'],
  [/statement pooling/, 'PgBouncer refuses transactions with statement pooling'],
  [/^database ".*" does not exist|^no such database/, 'PgBouncer has no such database'],
  [/authentication failed|no such user|not allowed/, 'PgBouncer refuses the user or password'],
];

/** Returns the reason of a failure in words, or its error code if the code is unknown. */
export function failureReason(error: unknown): string {
  const code = codeOf(error);
  if (code === POOLER_REFUSAL) return poolerReason(error);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? code;
}

function poolerReason(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const known = POOLER_REASONS.find(([pattern]) => pattern.test(text));
  const [whole = ''] = known?.[0].exec(text) ?? [];
  return known ? whole.replace(...known) : 'PgBouncer refuses the connection';
}

/** Returns the error code or name. Never returns the message, which may contain a URL with its password. */
function codeOf(error: unknown): string {
  const { code, cause, name } = Object(error) as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown error';
}
