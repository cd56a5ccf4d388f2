/** Background work that hangs, fails or never ends. A shop with an advanced clock simulates later times. */
import { createServer, type Socket } from 'node:net';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { approveAtBank, CARDS, Customer, comeBack, expectStatus, pay, sessionBehind } from '../customer.js';
import { type Aftermath, at, type Scale, type Scenario, unless } from '../scenario.js';
import { untilAllPaid } from '../settling.js';
import type { Stage } from '../stage.js';

const MINUTE = 60_000;
/** 38 s: requests in flight have 28 s, background work has 5 s, plus a margin. */
const STOP_MS = 38_000;

/** Restarts every shop with its clock advanced by `aheadMs`. */
async function restartAhead(stage: Stage, aheadMs: number): Promise<void> {
  const preload = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${aheadMs}`;
  for (const shop of stage.shops) {
    await shop.kill();
    await shop.start({ options: ['--import', preload] });
  }
}

export const hangingMail: Scenario = {
  id: 'hanging-mail',
  says: 'A mail server that never answers delays no payment, and the shop stops in time',
  ties: 'case 133',
  limitMs: 180_000,
  play: playHangingMail,
};

async function playHangingMail(stage: Stage, scale: Scale): Promise<Aftermath> {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const [shop] = stage.shops;
  await shop.kill();
  await shop.start({ env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
  const count = scale.of({ full: 100, short: 30 });
  await inParallel(numbers(count), 8, async () => pay(stage, (await new Customer(stage).openPage()).session));
  const settled = await untilAllPaid(stage, 30_000);
  await until(() => sockets.size > 0, { withinMs: 20_000 });
  const hanging = sockets.size;
  shop.signal('SIGTERM');
  const startedAt = performance.now();
  const stopped = await until(() => !shop.isRunning(), { withinMs: STOP_MS });
  const stopS = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  silent.close();
  await shop.kill();
  await shop.start();
  return at({
    figures: `${count} orders, ${hanging} hanging mails: ${settled.paid} paid, stopped in ${stopS.toFixed(1)} s`,
    problems: [
      ...unless(hanging > 0, 'no mail was sent to the silent server'),
      ...unless(settled.allPaid, `${count - settled.paid} orders were not paid while mails were hanging`),
      ...unless(stopped, `the shop did not stop within ${STOP_MS / 1000} s`),
    ],
  });
}

export const malformedWebhooks: Scenario = {
  id: 'malformed-webhooks',
  says: 'Malformed webhook events are finished or refused, and hold up no genuine one',
  ties: 'case 134',
  limitMs: 180_000,
  play: playMalformedWebhooks,
};

async function playMalformedWebhooks(stage: Stage, scale: Scale): Promise<Aftermath> {
  const count = scale.of({ full: 1_500, short: 300 });
  const statuses = await inParallel(numbers(count), 16, async (_, index) => {
    const body = malformedBody(index);
    const reply = await exchange(stage.nextUrl(), '/webhooks/payments', {
      method: 'POST',
      headers: stage.webhookHeaders,
      body,
    });
    return reply.status;
  });
  const genuine = scale.of({ full: 50, short: 15 });
  await inParallel(numbers(genuine), 8, async () =>
    pay(stage, (await new Customer(stage).openPage()).session),
  );
  return async () => {
    const settled = await untilAllPaid(stage, 60_000);
    const faults = statuses.filter((status) => status >= 500).length;
    return {
      figures: `${count} malformed events: ${faults} answered 5xx; ${settled.paid} of ${genuine} genuine payments settled`,
      problems: [
        ...unless(faults === 0, `${faults} malformed events were answered 5xx`),
        ...unless(settled.allPaid, `${genuine - settled.paid} payments were not settled`),
      ],
    };
  };
}

function malformedBody(index: number): string {
  const bodies = [
    { id: `cs_\u0000${index}`, event_type: 'session.completed' },
    { data: { id: `cs_${index}` }, event_type: 'session\u0000completed' },
    { id: `\u0007${index}`, metadata: { order_number: `TG-\u0000${index}` } },
    { id: [index], client_reference: { $ne: index }, event_type: 7 },
  ];
  return JSON.stringify(bodies[index % bodies.length]);
}

export const unknownAttempts: Scenario = {
  id: 'unknown-attempts',
  says: 'Expired attempts that the gateway no longer knows end or need a review, and lookups stop',
  ties: 'case 135',
  limitMs: 180_000,
  async play(stage, scale) {
    await stage.strings.webhooks('off');
    const count = scale.of({ full: 100, short: 20 });
    const pages = await inParallel(numbers(count), 8, () => new Customer(stage).openPage());
    const read = pages.filter((_, index) => index % 2 === 0);
    const { orders: all } = (await stage.look()).books;
    const tokens = new Map(all.map(({ number, token }) => [number, token]));
    const sessions = await stage.strings.sessions();
    await inParallel(read, 8, async ({ session, customer }) => {
      const number = sessions.find(({ id }) => id === session)?.request.external_id ?? '';
      await customer.get(`/orders/${tokens.get(number)}`);
    });
    await stage.strings.fault('read-session', { kind: 'status', status: 404 });
    await restartAhead(stage, 70 * MINUTE);
    const isOver = async () =>
      (await stage.look()).books.orders.every(({ state }) => state === 'expired' || state === 'review');
    const over = await until(isOver, { withinMs: 60_000, everyMs: 500 });
    const { orders } = (await stage.look()).books;
    const expired = orders.filter(({ state }) => state === 'expired').length;
    const review = orders.filter(({ reviewReason }) => reviewReason === 'not_found').length;
    await stage.strings.clearFaults();
    return at({
      figures: `${count} unknown sessions: ${expired} looked up before and expired, ${review} never looked up and in review`,
      problems: [
        ...unless(over, 'an attempt was still pending'),
        ...unless(expired === read.length, `${expired} expired instead of ${read.length}`),
        ...unless(review === count - read.length, `${review} in review instead of ${count - read.length}`),
      ],
    });
  },
};

export const abandonedBankPage: Scenario = {
  id: 'abandoned-bank-page',
  says: 'After an abandoned 3D Secure page the customer can pay once more; if both are paid, the order needs a review',
  ties: 'case 136',
  limitMs: 120_000,
  async play(stage) {
    const customer = new Customer(stage);
    expectStatus(await customer.addToCart(), 303);
    const bank = expectStatus(await customer.payByCard(CARDS.challenged), 302).headers.location ?? '';
    const early = await customer.post('/checkout/hosted', { ...customer.contact, pay_again: '1' });
    await restartAhead(stage, 9 * MINUTE);
    const late = await customer.post('/checkout/hosted', { ...customer.contact, pay_again: '1' });
    const session = sessionBehind(stage, late);
    if (session !== undefined) await comeBack(customer, await pay(stage, session));
    await customer.get(await approveAtBank(stage, bank));
    const isFlagged = async () =>
      (await stage.look()).books.orders.some(({ reviewReason }) => reviewReason === 'second_payment');
    const flagged = await until(isFlagged, { withinMs: 60_000 });
    return at({
      figures: `early ${early.status}, late ${late.status}, second payment ${flagged ? 'in review' : 'not flagged'}`,
      problems: [
        ...unless(early.status === 303, `another payment was started at once (${early.status})`),
        ...unless(session !== undefined, `no other payment could be started (${late.status})`),
        ...unless(flagged, 'the second payment was not flagged'),
      ],
    });
  },
};
