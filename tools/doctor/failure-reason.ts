const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unknown host name'],
  // Nodemailer uses this code for all failed connections.
  [/^ESOCKET$/, 'no connection'],
  [/^EAUTH$/, 'the server refuses the user or password'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(?:TimeoutError|AbortError|ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'timeout'],
  [/^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'untrusted certificate'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection closed'],
];

/** Returns the reason of a failure in words, or its error code if the code is unknown. */
export function failureReason(error: unknown): string {
  const code = codeOf(error);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? code;
}

/** Returns the error code or name. Never returns the message, which may contain a URL with its password. */
function codeOf(error: unknown): string {
  const { code, cause, name } = Object(error) as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown error';
}
