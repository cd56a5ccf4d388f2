/** HTTP client of the doctor: limits time and size, follows no redirect, returns failures as text. */

export interface Question {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Reply =
  | { readonly answered: true; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly answered: false; readonly reason: string };

const MAX_CHARACTERS = 16_384;

/**
 * Sends a request and returns the response or the reason for its failure. Reads about 16,384 characters of the
 * body. Never rejects.
 */
export async function ask({ url, ...question }: Question, signal: AbortSignal): Promise<Reply> {
  try {
    const response = await fetch(url, { ...question, redirect: 'manual', signal });
    const text = await firstOf(response);
    return { answered: true, status: response.status, headers: response.headers, text };
  } catch (error) {
    return { answered: false, reason: reasonOf(error) };
  }
}

async function firstOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'its host name is not known'],
  // Nodemailer uses this code for all failed connections.
  [/^ESOCKET$/, 'no connection came about'],
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:TimeoutError|AbortError|ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'no answer came in time'],
  [/^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'its certificate is not to be trusted'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection broke'],
];

/** Returns the reason of a network failure in plain words, or its error code if it is unknown. */
export function reasonOf(fault: unknown): string {
  const code = codeOf(fault);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? code;
}

/** Returns the error code or name. Never returns the message, which may contain a URL with its password. */
function codeOf(fault: unknown): string {
  const { code, cause, name } = Object(fault) as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown fault';
}
