/** HTTP client of the doctor. Limits time and size, follows no redirect, returns failures as text. */

export interface DoctorRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Reply =
  | { readonly answered: true; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly answered: false; readonly reason: string };

/** Sends a request and returns the response or the reason of the failure. Never rejects. */
export type Send = (request: DoctorRequest) => Promise<Reply>;

const MAX_CHARACTERS = 16_384;

/** Creates a client that reads about 16,384 characters of a response. */
export function createSend(timeoutMs: number): Send {
  return async ({ url, ...request }) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...request, redirect: 'manual', signal });
      const text = await readText(response);
      return { answered: true, status: response.status, headers: response.headers, text };
    } catch (error) {
      return { answered: false, reason: failureReason(error) };
    }
  };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_CHARACTERS) break;
  }
  return text;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unknown host name'],
  // Nodemailer uses this code for all failed connections.
  [/^ESOCKET$/, 'no connection'],
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
