import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import type { Clock } from '../checkout/services.js';

/** Short enough that a price that was changed is seen at once by anybody's measure. */
const KEPT_MS = 2_000;
const MOST_KEPT = 200;
/** What belongs to one answer and not to the page. */
const ONE_TIME = ['x-request-id', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** A page as it went out, to go out again as it is. */
export interface KeptAnswer {
  readonly until: number;
  readonly etag: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly route: string;
}

/**
 * Pages that visitors without a cookie saw in the last seconds. Whoever sends the same words is sent the same page: the
 * shop is busiest with those who only look.
 */
export class KeptAnswers {
  readonly #clock: Clock;
  readonly #kept = new Map<string, KeptAnswer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(req: IncomingMessage): KeptAnswer | undefined {
    if (!isForAnybody(req)) return undefined;
    const kept = this.#kept.get(keyOf(req.url, req));
    const now = this.#clock.now();
    // A clock that was set back must not make a page everlasting.
    return kept && now < kept.until && now >= kept.until - KEPT_MS ? kept : undefined;
  }

  /** Keeps what was just sent, unless it was somebody's own. */
  keep(res: Response, body: Buffer): void {
    const etag = res.getHeader('ETag');
    const { route } = res.req;
    const own = !isForAnybody(res.req) || res.statusCode !== 200 || res.getHeader('Set-Cookie') !== undefined;
    if (own || typeof etag !== 'string' || typeof route?.path !== 'string') return;
    const key = keyOf(res.req.originalUrl, res.req);
    // To the end of the line, so that the oldest leaves first.
    this.#kept.delete(key);
    this.#kept.set(key, {
      ...{ etag, body, route: route.path, headers: headersOf(res) },
      until: this.#clock.now() + KEPT_MS,
    });
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
  }
}

function isForAnybody({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.cookie === undefined && headers.authorization === undefined;
}

/** Everything else of a request that a page may depend on, word for word. */
function keyOf(url: string | undefined, { headers }: IncomingMessage): string {
  return `${url}\n${headers['accept-language']}\n${headers['accept-encoding']}`;
}

function headersOf(res: Response): readonly string[] {
  return Object.entries(res.getHeaders())
    .filter(([name]) => !ONE_TIME.includes(name))
    .flatMap(([name, value]) => [name, String(value)]);
}
