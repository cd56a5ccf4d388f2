/** `examples/minimal` as a program: webhooks, changed carts, a process that is killed, an own host that throws, production. */
import { expect, test } from '@jest/globals';
import { copyBuild, runBuilt } from '../support/built-program.js';
import { until } from '../support/crowd.js';
import { PRODUCTION } from '../support/production-settings.js';
import { CARDS } from '../support/purchase.js';
import { add, openExample, orderPath, payByCard, readStatus, startHosted, untilState } from './support.js';

const MAIN = 'examples/minimal/main.ts';

test('a customer who never returns has a paid order, through webhook and worker', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  const { session } = await startHosted(customer);
  example.control.paySession(session);

  const isPaid = async () => (await example.orders())[0]?.['state'] === 'paid';
  await until(isPaid, { withinMs: 30_000, everyMs: 50 });
  await until(() => example.program.log().includes('receipt.sent'), { withinMs: 30_000, everyMs: 50 });
});

test('a changed cart replaces its open order, and payments of both are noticed', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  const earlier = await startHosted(customer);
  const path = await orderPath(example);
  await add(customer, 'rebozo');

  const [later, same] = await Promise.all([startHosted(customer), startHosted(customer)]);
  example.control.paySession(later.session);
  await untilState(customer, await orderPath(example), 'paid');
  example.control.paySession(earlier.session);
  await customer.get(`${path}/status`);

  expect([later.location === earlier.location, same.location]).toEqual([false, later.location]);
  const review = async () => (await example.orders())[0]?.['reviewReason'];
  await until(async () => (await review()) === 'second_payment', { withinMs: 30_000, everyMs: 50 });
  const [first, second] = await example.orders();
  expect([first?.['supersededBy'], second]).toEqual([second?.['id'], expect.objectContaining({ state: 'paid' })]);
});

test('a cart that changes while its card payment is at the bank leads back to that payment', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  await payByCard(example, customer, CARDS.challenged);
  const path = await orderPath(example);
  await add(customer, 'rebozo');

  const again = await startHosted(customer);

  expect([again.status, again.location, (await example.orders()).length]).toEqual([303, path, 1]);
  expect((await readStatus(customer, path)).safe_to_pay_again).toBe(false);
});

test('after kill -9 the program finishes what the gateway knows', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  const { session } = await startHosted(customer);
  await example.program.kill('SIGKILL');
  example.control.paySession(session);
  await example.program.start();

  await untilState(customer, await orderPath(example), 'paid');

  expect(example.control.ledger()).toHaveLength(1);
});

test('a card payment during kill -9 is not repeated, and becomes uncertain', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  example.control.fault('process', { kind: 'hang' }, 1);
  const answer = payByCard(example, customer, CARDS.authorized).catch(() => undefined);
  await until(async () => example.control.calls('process').length === 1, { withinMs: 30_000, everyMs: 20 });
  await example.program.kill('SIGKILL');
  await answer;
  await example.program.start();

  const path = await orderPath(example);

  expect(await readStatus(customer, path)).toMatchObject({ safe_to_pay_again: false });
  expect(example.control.calls('process')).toHaveLength(1);
});

test('a host that throws loses no payment: the order is paid, and in review', async () => {
  using build = copyBuild({
    [MAIN]: (source) =>
      source.replace('await payments.queueJob(', "throw new Error('a fault of the host'); await payments.queueJob("),
  });
  await using example = await openExample({ home: build.home });
  const customer = await example.customer();
  const { session } = await startHosted(customer);
  example.control.paySession(session);

  await untilState(customer, await orderPath(example), 'paid');

  const [order] = await example.orders();
  expect(order).toMatchObject({ state: 'paid', reviewReason: 'host_failed' });
});

test('SIGTERM ends the program after the requests in flight, and the database has no table of the shop', async () => {
  await using example = await openExample();
  const customer = await example.customer();
  example.control.fault('process', { kind: 'latency', ms: 1_000 }, 1);
  const paying = payByCard(example, customer, CARDS.authorized);
  await until(async () => example.control.calls('process').length === 1, { withinMs: 30_000, everyMs: 20 });
  example.program.signal('SIGTERM');

  const { status } = await paying;
  await until(() => !example.program.isRunning(), { withinMs: 30_000, everyMs: 20 });

  const tables = (await example.queries.introspection.getTables()).map(({ name }) => name);
  const own = ['attempts', 'inbox', 'order_events', 'orders', 'outbox', 'refunds'];
  expect(tables.filter((name) => !/migration|^sqlite_|^attempt_limits$/.test(name)).toSorted()).toEqual(own);
  expect([status, (await example.orders())[0]?.['state']]).toEqual([303, 'paid']);
});

test.each<[Record<string, string>, readonly string[]]>([
  [{}, ['session store']],
  [
    { TRUST_PROXY: '', PUBLIC_URL: 'http://tienda.example', TOKENIZER_URL: '', WEBHOOK_AUTH: '' },
    ['PUBLIC_URL', 'TOKENIZER_URL', 'TRUST_PROXY', 'WEBHOOK_AUTH', 'session store'],
  ],
  [
    { TRUST_PROXY: '0', PUBLIC_URL: '', SESSION_SECRET: '', PAYMENTS_API_KEY: '' },
    ['PAYMENTS_API_KEY', 'PUBLIC_URL', 'SESSION_SECRET', 'TRUST_PROXY', 'session store'],
  ],
  [
    { TRUST_PROXY: 'true', PORT: 'x', SESSION_SECRET: 'short' },
    ['PORT', 'SESSION_SECRET', 'TRUST_PROXY', 'session store'],
  ],
])('production with %j does not start, and names %j', async (settings, names) => {
  const { code, stdout, stderr } = await runBuilt('examples/minimal/main.js', [], {
    settings: { ...PRODUCTION, ...settings },
  });

  const named = [...stderr.matchAll(/^ {2}- ([^:]+):/gm)].map(([, name]) => name);
  expect([code, stdout, new Set(named)]).toEqual([1, '', new Set(names)]);
});

test('a database of another program is refused before anything of it changes', async () => {
  await using example = await openExample();
  await example.program.kill();
  await example.queries.schema.alterTable('orders').dropColumn('lines').execute();

  await expect(example.program.start()).rejects.toThrow('exited before it was ready');
});
