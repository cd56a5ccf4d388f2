/** Many clients at once, each with a connection of its own that it keeps; they ask again as soon as they are answered. */
import autocannon, { type Options, type Request, type Result } from 'autocannon';

export interface Load {
  readonly url: string;
  readonly connections: number;
  /** How long, or how many in all. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
  /** What every request sends; `next` what only the next one does. */
  readonly request?: Request;
  readonly next?: () => Request;
  /** Names of headers in small letters. */
  readonly onAnswer?: (headers: Readonly<Record<string, unknown>>, status: number) => void;
  /** How long each answer took, in milliseconds. */
  readonly onTime?: (status: number, ms: number) => void;
  /** The status that a useful answer has. */
  readonly expect: number;
  /** Requests a second from all together, answered or not; absent: as many as are answered. */
  readonly perSecond?: number;
}

export interface Figures {
  /** Useful answers a second. */
  readonly rate: number;
  readonly useful: number;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** Answers of another kind than expected, broken connections and answers that never came. */
  readonly failed: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Puts the load on and says what came back. */
export async function drive(load: Load): Promise<Figures> {
  const { url, connections, until, perSecond, expect } = load;
  const startedAt = performance.now();
  let lastAt = startedAt;
  const noteTime = () => {
    lastAt = performance.now();
  };
  const result = await fire(load, noteTime, {
    ...{ url, connections, requests: [requestOf(load)] },
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
    ...(perSecond !== undefined && { overallRate: perSecond, ignoreCoordinatedOmission: true }),
  });
  // The generator itself ends with a whole second: up to one of them in which nothing was asked.
  const seconds = Math.max(1, lastAt - startedAt) / 1000;
  const counted = Object.entries(result.statusCodeStats ?? {});
  const answers = Object.fromEntries(counted.map(([status, { count = 0 }]) => [status, count]));
  const useful = answers[expect] ?? 0;
  const answered = Object.values(answers).reduce((sum, count) => sum + count, 0);
  const { p50, p99 } = result.latency;
  return { rate: useful / seconds, useful, answers, failed: answered - useful + result.errors, p50, p99 };
}

function fire({ onTime }: Load, noteTime: () => void, options: Options): Promise<Result> {
  return new Promise((resolve, reject) => {
    const running = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    running.on('response', (...[, status, , ms]: readonly [unknown, number, number, number]) => {
      noteTime();
      onTime?.(status, ms);
    });
  });
}

function requestOf({ request = {}, next, onAnswer }: Load): Request {
  return {
    ...request,
    ...(next && { setupRequest: (previous: Request) => ({ ...previous, ...next() }) }),
    ...(onAnswer && {
      onResponse: (...[status, , , headers]: Parameters<OnResponse>) =>
        onAnswer(inSmallLetters(headers), status),
    }),
  };
}

type OnResponse = Exclude<NonNullable<Request['onResponse']>, string>;

function inSmallLetters(headers: Request['headers'] = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
