import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { endRequest } from '../end-request.js';
import type { WebServices } from '../services.js';

const OF_THE_BODY = /^content-(?:length|type|encoding)$/;

/** Answers who only looks, and sends no cookie, with the page that the visitor before was sent. */
export function sendKept({ kept, checkout }: WebServices): RequestHandler {
  return (req, res, next) => {
    const answer = kept.find(req);
    if (!answer) {
      next();
      return;
    }
    const startedAt = performance.now();
    const requestId = randomUUID();
    const known = req.headers['if-none-match'] === answer.etag && req.headers['cache-control'] === undefined;
    const headers = known ? withoutBody(answer.headers) : answer.headers;
    res.writeHead(known ? 304 : 200, ['X-Request-Id', requestId, ...headers]);
    res.end(known ? undefined : answer.body);
    endRequest(checkout, {
      ...{ requestId, method: req.method, route: answer.route, status: res.statusCode },
      ms: performance.now() - startedAt,
    });
  };
}

function withoutBody(headers: readonly string[]): readonly string[] {
  return headers.filter((_, place) => !OF_THE_BODY.test(headers[place - (place % 2)] ?? ''));
}
