/** Each call that reached the service, without its secrets. */
import type { Request, Response } from 'express';
import type { Call } from './faults.js';

export interface RecordedCall {
  readonly call: Call;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Absent while unanswered, and for good when the connection was cut. */
  readonly status?: number;
}

const kept = 5_000;

export class CallLog {
  #calls: RecordedCall[] = [];

  /** Writes the call down now and its status when the answer has been handed over. */
  record(call: Omit<RecordedCall, 'status'>, res: Response): void {
    const recorded: { -readonly [K in keyof RecordedCall]: RecordedCall[K] } = { ...call };
    this.#calls.push(recorded);
    if (this.#calls.length > kept * 2) this.#calls = this.#calls.slice(-kept);
    res.on('finish', () => {
      recorded.status = res.statusCode;
    });
  }

  list(call?: Call): readonly RecordedCall[] {
    return this.#calls.filter((recorded) => call === undefined || recorded.call === call);
  }

  clear(): void {
    this.#calls = [];
  }
}

const secretHeaders: readonly string[] = ['authorization', 'x-skyflow-authorization', 'cookie'];

/** The headers of a request; of a secret only its scheme is kept. */
export function redactedHeaders(req: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      secretHeaders.includes(name) ? schemeOf(String(value)) : String(value),
    ]),
  );
}

function schemeOf(value: string): string {
  const [scheme, ...rest] = value.split(' ');
  return rest.length === 0 ? '[redacted]' : `${scheme} [redacted]`;
}
