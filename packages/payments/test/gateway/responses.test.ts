import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { openServer } from '../../../../test/support/http.js';
import { createClient } from '../../../../test/support/replica.js';
import { errorOf, paymentRequest } from './support.js';

const SESSION = '{"id":"cs_1","status":"pending"}';

/** Returns the id and the error code of a lookup at a server that answers with these bytes. */
async function lookUpAt(respond: (req: IncomingMessage, res: ServerResponse) => void) {
  await using server = await openServer(respond);
  using gateway = createClient(server.url);
  return await gateway.lookUp('hosted', 'cs_1').then(
    ({ gatewayId }) => ({ gatewayId }),
    ({ code, status, reason }) => ({ code, status, reason }),
  );
}

test.each(['gzip', 'GZIP', 'x-gzip'])('an answer with the encoding %s is decoded', async (encoding) => {
  const answer = await lookUpAt((_req, res) => {
    res.writeHead(200, { 'Content-Encoding': encoding }).end(gzipSync(SESSION));
  });

  expect(answer).toEqual({ gatewayId: 'cs_1' });
});

test.each([
  ['br', brotliCompressSync(SESSION), 'not_json'],
  ['br', Buffer.from(SESSION), 'not_json'],
  ['gzip, gzip', gzipSync(gzipSync(SESSION)), 'not_json'],
  ['gzip', Buffer.from(SESSION), 'not_json'],
  ['gzip', gzipSync(SESSION).subarray(0, -9), 'not_json'],
  ['gzip', gzipSync(`{"id":"cs_1","status":"pending","x":"${'a'.repeat(70_000)}"}`), 'too_large'],
  ['identity', Buffer.from(`{"id":"cs_1","status":"pending","x":"${'a'.repeat(70_000)}"}`), 'too_large'],
])('an answer with the encoding %s and unusable bytes is a bad answer', async (encoding, body, reason) => {
  const answer = await lookUpAt((_req, res) => {
    res.writeHead(200, { 'Content-Encoding': encoding }).end(body);
  });

  expect(answer).toEqual({ code: 'bad_answer', status: 200, reason });
});

test.each([301, 302, 307, 308])('a lookup follows one redirect with HTTP %i to the same origin', async (status) => {
  const keys: unknown[] = [];
  const answer = await lookUpAt((req, res) => {
    keys.push(req.headers.authorization);
    if (req.url?.startsWith('/new/')) res.end(SESSION);
    else res.writeHead(status, { Location: `/new${req.url}` }).end();
  });

  expect(answer).toEqual({ gatewayId: 'cs_1' });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('a lookup follows no second redirect', async () => {
  const paths: unknown[] = [];
  const answer = await lookUpAt((req, res) => {
    paths.push(req.url);
    res.writeHead(302, { Location: `/new${req.url}` }).end();
  });

  expect(answer).toMatchObject({ code: 'bad_answer', status: 302 });
  expect(paths).not.toContain('/new/new/checkout/v1/sessions/cs_1');
});

test.each(['another port', 'another scheme', 'user info', 'no address'])(
  'a lookup does not follow a redirect to %s',
  async (where) => {
    const requests: unknown[] = [];
    const onRequest = (req: IncomingMessage, res: ServerResponse) => {
      requests.push(req.url);
      res.end(SESSION);
    };
    await using other = await openServer(onRequest);
    const answer = await lookUpAt((req, res) => {
      const { host = '' } = req.headers;
      const locations = {
        'another port': `${other.url}/followed`,
        'another scheme': `https://${host}/followed`,
        'user info': `http://user@${host}/followed`,
      };
      if (req.url === '/followed') onRequest(req, res);
      else res.writeHead(302, where in locations ? { Location: locations[where as keyof typeof locations] } : {}).end();
    });

    expect(answer).toMatchObject({ code: 'bad_answer', status: 302 });
    expect(requests).toEqual([]);
  },
);

test('a redirect of a request that creates something is not followed', async () => {
  const paths: unknown[] = [];
  await using server = await openServer((req, res) => {
    paths.push(req.url);
    req.resume().on('end', () => res.writeHead(307, { Location: '/followed' }).end());
  });
  using gateway = createClient(server.url);

  const error = await errorOf(gateway.accessToken());
  const processed = await gateway.processPayment(paymentRequest());

  expect(error).toMatchObject({ code: 'bad_answer', status: 307 });
  expect(processed).toMatchObject({ kind: 'unknown', error: { code: 'bad_answer', status: 307 } });
  expect(paths).not.toContain('/followed');
});
