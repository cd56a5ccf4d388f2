import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { LoadGate, shedLoad } from '../../src/web/shed-load.js';

/** A gate with a clock that the test moves. */
function gateAt() {
  const clock = { now: 0 };
  return { clock, gate: new LoadGate(() => clock.now) };
}

const served = (gate: LoadGate, count: number, path = '/') =>
  Array.from({ length: count }, () => gate.admits(path)).filter(Boolean).length;

describe('while more arrive than the process can carry', () => {
  test('everyone is served as long as a turn is short', () => {
    const { clock, gate } = gateAt();
    served(gate, 128);

    clock.now = 249;

    expect(served(gate, 1_000)).toBe(1_000);
  });

  test('what still waits after a long turn is refused, until the next turn', () => {
    const { clock, gate } = gateAt();
    served(gate, 128);

    clock.now = 250;
    const late = served(gate, 10);
    gate.turn(0);

    expect(late).toBe(0);
    expect(served(gate, 10)).toBe(10);
  });

  test('a process that stood still for another reason refuses nobody', () => {
    const { clock, gate } = gateAt();

    served(gate, 128);
    gate.turn(0);

    clock.now = 60_000;

    expect(served(gate, 200)).toBe(200);
  });

  test('after a turn that took too long, fewer come in, and then more from turn to turn', () => {
    const { gate } = gateAt();
    served(gate, 4_000);

    gate.turn(250);
    const crowded = served(gate, 4_000);
    gate.turn(80);
    const next = served(gate, 4_000);
    for (let turn = 0; turn < 20; turn += 1) gate.turn(1);

    expect([crowded, next]).toEqual([1_280, 1_600]);
    expect(served(gate, 20_000)).toBe(20_000);
  });

  test('some come in whatever the last turn took, and shoppers who paid before others', () => {
    const { gate } = gateAt();
    served(gate, 200);

    gate.turn(2_000);
    const anybody = served(gate, 1_000);
    gate.turn(0);
    const fewer = served(gate, 1_000);
    gate.turn(160);
    served(gate, 1_000);

    expect([anybody, fewer]).toEqual([128, 160]);
    expect(served(gate, 1_000, '/checkout/return/abc')).toBe(192);
  });

  test.each(['/checkout/return/abc', '/orders/abc', '/orders/abc/status', '/webhooks/payments'])(
    '%s keeps its share',
    (path) => {
      const { clock, gate } = gateAt();
      served(gate, 128);

      clock.now = 999;
      const kept = [gate.admits('/'), gate.admits('/checkout/hosted'), gate.admits(path)];
      clock.now = 1_000;

      expect([...kept, gate.admits(path)]).toEqual([false, false, true, false]);
    },
  );
});

/** A connection that has been served once. */
async function knock(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return text(socket);
}

test.each(['/healthz', '/readyz'])('%s is answered however crowded it is', (path) => {
  const { clock, gate } = gateAt();
  served(gate, 128);

  clock.now = 60_000;

  expect([gate.admits('/'), gate.admits(path)]).toEqual([false, true]);
});

describe('a crowded shop', () => {
  const WORK_MS = 5;
  const CROWD = 200;

  test('serves some at once, refuses the rest with a time to come back, and is itself again afterwards', async () => {
    let told = 0;
    const listener = shedLoad(
      (req, res) => {
        const until = performance.now() + (req.url === '/first' ? 0 : WORK_MS);
        while (performance.now() < until);
        res.end('ok');
      },
      () => {
        told += 1;
      },
    );
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      // Connections that a proxy keeps open: all of them speak before the first is served.
      const sockets = await Promise.all(Array.from({ length: CROWD }, () => knock(url)));
      const answers = await Promise.all(sockets.map(ask));
      const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'));

      expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200')).length).toBeGreaterThanOrEqual(
        128,
      );
      expect(refused.length).toBeGreaterThan(0);
      expect(told).toBe(refused.length);
      expect(refused[0]).toContain('Retry-After: 5');
      expect(refused[0]).toContain('No se hizo ningún cargo');
      expect((await fetch(url)).status).toBe(200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
