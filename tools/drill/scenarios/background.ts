/** Background work that hangs or fails. A shop with an advanced clock simulates later times. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { contact } from '../../../test/support/customer.js';
import {
  customerWithCart,
  openHostedPage,
  paySession,
  payWithoutReturn,
  redirectedSession,
} from '../customer.js';
import { advancedClock, type Environment, readShopState } from '../environment.js';
import { failures, type Scenario } from '../scenario.js';
import { waitUntilPaid } from '../settlement.js';

const MINUTE_MS = 60_000;
/** 38 s: requests in flight have 28 s, background work has 5 s, plus a margin. */
const STOP_MS = 38_000;

/** Restarts every shop with its clock advanced. */
async function restartWithAdvancedClock(environment: Environment, aheadMs: number): Promise<void> {
  for (const shop of environment.shops) {
    await shop.kill();
    await shop.start({ nodeOptions: advancedClock(aheadMs) });
  }
}

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
    await until(() => sockets.size > 0, { withinMs: 20_000 });
    const hanging = sockets.size;
    shop.signal('SIGTERM');
    const startedAt = performance.now();
    const isStopped = await until(() => !shop.isRunning(), { withinMs: STOP_MS });
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

export const unknownAttempts: Scenario = {
  id: 'unknown-attempts',
  description: 'Expired attempts that the gateway no longer knows end or need a review, and lookups stop',
  limitMs: 180_000,
  async run(environment, scale) {
    const { control } = environment;
    await control('settings', { webhooks: 'off' });
    const count = scale.of({ full: 100, short: 20 });
    await inParallel(numbers(count), 8, () => openHostedPage(environment));
    // An order page looks the attempt up. Every second attempt is looked up once while the gateway knows it.
    const created = (await readShopState(environment)).orders;
    const known = created.filter((_, index) => index % 2 === 0);
    await inParallel(known, 8, async ({ token }) => fetch(`${environment.nextUrl()}/orders/${token}`));
    await control('fault', { call: 'read-session', fault: { kind: 'status', status: 404 } });
    await restartWithAdvancedClock(environment, 70 * MINUTE_MS);
    const readOrders = async () => (await readShopState(environment)).orders;
    const haveEnded = async () =>
      (await readOrders()).every(({ state }) => state === 'expired' || state === 'review');
    const ended = await until(haveEnded, { withinMs: 60_000, everyMs: 500 });
    const orders = await readOrders();
    const expired = orders.filter(({ state }) => state === 'expired').length;
    const review = orders.filter(({ reviewReason }) => reviewReason === 'not_found').length;
    await control('clearFaults');
    return {
      summary: `${count} unknown sessions: ${expired} looked up before and expired, ${review} never looked up and in review`,
      problems: failures([
        [ended, 'an attempt was still pending'],
        [expired === known.length, `${expired} expired instead of ${known.length}`],
        [review === count - known.length, `${review} in review instead of ${count - known.length}`],
      ]),
    };
  },
};

export const abandonedBankPage: Scenario = {
  id: 'abandoned-bank-page',
  description:
    'After an abandoned 3D Secure page the customer can pay once more; if both are paid, the order needs a review',
  async run(environment) {
    const customer = await customerWithCart(environment);
    const bankUrl = await customer.openBankPage();
    const payAgain = () => customer.payHosted({ ...contact, pay_again: '1' });
    const early = await payAgain();
    await restartWithAdvancedClock(environment, 9 * MINUTE_MS);
    const late = await payAgain();
    const session = redirectedSession(environment, late);
    if (session !== undefined) await customer.returnToShop(await paySession(environment, session));
    await customer.get(await customer.approveAtBank(bankUrl));
    const isInReview = async () =>
      (await readShopState(environment)).orders.some(({ reviewReason }) => reviewReason === 'second_payment');
    const inReview = await until(isInReview, { withinMs: 60_000 });
    return {
      summary: `early ${early.status}, late ${late.status}, second payment ${inReview ? 'in review' : 'not in review'}`,
      problems: failures([
        [early.status === 303, `another payment was started at once (${early.status})`],
        [session !== undefined, `no other payment could be started (${late.status})`],
        [inReview, 'the second payment was not in review'],
      ]),
    };
  },
};
