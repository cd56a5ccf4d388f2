/** The waits of an upload, with shorter times than those of the shop. */
import { EventEmitter, once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import express from 'express';
import { numbers } from '../../../../test/support/crowd.js';
import { readUpload } from '../read-upload.js';
import { inUploadTurn } from '../upload-turns.js';

test('an upload whose turn does not come in time is refused unread, and a later one gets its turn', async () => {
  const held = new EventEmitter();
  const running = numbers(3).map((session) =>
    inUploadTurn(`session ${session}`, async () => void (await once(held, 'end'))),
  );
  let reads = 0;
  const read = async () => {
    reads += 1;
  };

  const refused = await inUploadTurn('late', read, 1);
  const readsBefore = reads;
  const waiting = inUploadTurn('patient', read, 60_000);
  held.emit('end');

  expect([refused, readsBefore]).toEqual(['busy', 0]);
  expect([await waiting, ...(await Promise.all(running)), reads]).toEqual(['done', 'done', 'done', 'done', 1]);
});

test('a body that pauses for longer than allowed is ended, and one that continues is read', async () => {
  const app = express();
  app.post('/', async (req, res) => {
    const file = await readUpload(req, { stalledMs: Number(req.query['stalled']) });
    res.send(String(file));
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const post = (stalledMs: number) => {
    const { port } = server.address() as AddressInfo;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const sent = request({ port, host: '127.0.0.1', path: `/?stalled=${stalledMs}`, method: 'POST', headers });
    sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\nA mug');
    return sent;
  };

  const [error] = await once(post(1), 'error');
  const complete = post(60_000);
  complete.end('\r\n--x--\r\n');
  const [answer] = await once(complete, 'response');
  const body = await text(answer);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));

  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(body).toBe('A mug');
});
