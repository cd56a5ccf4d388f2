/** A recorded ending as something that the simulator knows to play. */
import type { Fault } from './faults.js';
import type { RecordedLine } from './recording.js';

/** More than any client of the service reads. */
const tooLarge = 256 * 1024;

/** The same answer, with its JSON as it would be said now, or the same kind of silence. */
export function recordedFault(line: RecordedLine, present: (json: unknown) => unknown): Fault {
  const { answer, fault } = line;
  if (answer === undefined) return silence(line, fault?.code);
  const { status, headers, text, bytes } = answer;
  const { 'content-type': contentType = 'application/json', 'retry-after': retryAfter } = headers;
  return {
    kind: 'raw',
    status,
    contentType: contentType.startsWith('‹') ? 'application/octet-stream' : contentType,
    body: text === undefined ? JSON.stringify(present(answer.json)) : notJson(text, bytes),
    ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
  };
}

/**
 * A connection that never came about cannot be played by who listens. For a card payment a refusal says the same: that
 * nothing was done; for any other call a broken connection does.
 */
function silence({ call }: RecordedLine, code: string | undefined): Fault {
  if (code === 'timeout') return { kind: 'hang' };
  if (code === 'bad_answer') return { kind: 'huge', bytes: tooLarge };
  if (code === 'unreachable' && call === 'process')
    return { kind: 'status', status: 429, headers: { 'Retry-After': '1' } };
  return { kind: 'drop', when: 'before' };
}

/** The kept beginning, as long as the whole was. What was kept as text was no JSON, and must not become any. */
function notJson(text: string, bytes: number): string {
  const whole = text.padEnd(bytes - (Buffer.byteLength(text) - text.length), 'x');
  return isJson(whole) ? `${whole} x` : whole;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
