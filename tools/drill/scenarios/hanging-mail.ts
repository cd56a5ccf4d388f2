import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { payWithoutReturn } from '../customer.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

/** 38 s: requests in flight have 28 s, background work has 5 s, plus a margin. */
const STOP_MS = 38_000;

export const hangingMail: Scenario = {
  id: 'hanging-mail',
  description: 'A mail server that never answers delays no payment, and the shop stops in time',
  limitMs: 180_000,
  async run(environment, scale) {
    const [shop] = environment.shops;
    const sockets = new Set<Socket>();
    const mailServer = createServer((socket) => sockets.add(socket.on('error', () => {})));
    await once(mailServer.listen(0, '127.0.0.1'), 'listening');
    const { port } = mailServer.address() as AddressInfo;
    await shop.kill();
    await shop.start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
    const count = scale.of({ full: 100, short: 30 });
    await inParallel(numbers(count), 8, () => payWithoutReturn(environment));
    const { paid, allPaid } = await waitUntilPaid(environment, 30_000);
    await until(() => sockets.size > 0, { withinMs: 20_000 }).catch(() => {});
    const hanging = sockets.size;
    shop.signal('SIGTERM');
    const startedAt = performance.now();
    await until(() => !shop.isRunning(), { withinMs: STOP_MS }).catch(() => {});
    const isStopped = !shop.isRunning();
    const stopS = ((performance.now() - startedAt) / 1000).toFixed(1);
    for (const socket of sockets) socket.destroy();
    mailServer.close();
    await shop.kill();
    await shop.start();
    return {
      summary: `${count} orders, ${hanging} hanging mails: ${paid} paid, stopped in ${stopS} s`,
      problems: failures([
        [hanging > 0, 'no mail was sent to the hanging server'],
        [allPaid, `${count - paid} orders were not paid while mails were hanging`],
        [isStopped, `the shop did not stop within ${STOP_MS / 1000} s`],
      ]),
    };
  },
};
