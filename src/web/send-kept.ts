import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endRequest } from './end-request.js';
import type { WebServices } from './services.js';

const OF_THE_BODY = /^content-(?:length|type|encoding)$/;

/** Whether the request has been answered. */
type Sender = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * Answers who only looks, and sends no cookie, with the page that the visitor before was sent. Express never sees them:
 * what it does with a request is several times the work of sending the page.
 */
export function sendKept({ kept, checkout }: Pick<WebServices, 'kept' | 'checkout'>): Sender {
  return (req, res) => {
    const answer = kept.find(req);
    if (!answer) return false;
    const startedAt = performance.now();
    const requestId = randomUUID();
    const known = req.headers['if-none-match'] === answer.etag && req.headers['cache-control'] === undefined;
    const headers = known ? withoutBody(answer.headers) : answer.headers;
    res.writeHead(known ? 304 : 200, ['X-Request-Id', requestId, ...headers]);
    res.end(known ? undefined : answer.body);
    endRequest(checkout, {
      ...{ requestId, method: 'GET', route: answer.route, status: res.statusCode },
      ms: performance.now() - startedAt,
    });
    return true;
  };
}

function withoutBody(headers: readonly string[]): readonly string[] {
  return headers.filter((_, place) => !OF_THE_BODY.test(headers[place - (place % 2)] ?? ''));
}
