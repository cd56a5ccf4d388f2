/** One question over HTTP: bounded in time and size, following nothing, told in words when it fails. */

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

/** Never rejects. */
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
  // What the mail library says of any failed connection.
  [/^ESOCKET$/, 'no connection came about'],
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^(?:TimeoutError|AbortError|ETIMEDOUT|UND_ERR_.*TIMEOUT)$/, 'no answer came in time'],
  [/^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/, 'its certificate is not to be trusted'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection broke'],
];

/** A fault of the network in plain words; its code where there are none. */
export function reasonOf(fault: unknown): string {
  const code = codeOf(fault);
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? code;
}

/** Never the message of a library: it may hold an address with its password. */
function codeOf(fault: unknown): string {
  const { code, cause, name } = Object(fault) as { code?: unknown; cause?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown fault';
}
