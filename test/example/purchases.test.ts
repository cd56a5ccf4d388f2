/** Purchases in `examples/minimal`, over HTTP. They run in each profile of the simulator. */
import { afterAll, expect, test } from '@jest/globals';
import { until } from '../support/crowd.js';
import { contact, valueIn } from '../support/customer.js';
import { CARDS } from '../support/purchase.js';
import { add, openExample, orderPath, payByCard, readStatus, startHosted, untilState } from './support.js';

const example = await openExample();
const { control } = example;
afterAll(() => example[Symbol.asyncDispose]());

test('a customer who pays on the hosted page and returns has a paid order and an empty cart', async () => {
  const customer = await example.customer();
  const { status, session } = await startHosted(customer);
  const path = await orderPath(example);
  control.paySession(session);

  const returned = await customer.get(`${path.replace('/orders', '/checkout/return')}?session_id=${session}`);

  expect([status, returned.status, returned.headers['location']]).toEqual([302, 303, path]);
  await untilState(customer, path, 'paid');
  const { number } = (await example.orders()).at(-1) ?? {};
  await until(() => example.program.log().includes(`receipt.sent ${number} `), { withinMs: 30_000 });
  const extended = [await customer.get(`${path}).?a=1`), await customer.get(`${path}%E2%80%8B/status`)];
  expect(extended.map(({ headers }) => headers['location'])).toEqual([`${path}?a=1`, undefined]);
  expect(extended[1]?.text).toContain('"paid"');
  const pages = [await customer.get(path), await customer.get('/')];
  expect(pages.map(({ text }) => /data-state="paid"|Está vacío/.exec(text)?.[0])).toEqual([
    'data-state="paid"',
    'Está vacío',
  ]);
  expect([pages[0]?.headers['cache-control'], pages[0]?.text.includes('Eva')]).toEqual(['no-store', false]);
});

test('case 203: a page that was opened before the cart changed places nothing, and shows the cart of now', async () => {
  const customer = await example.customer();
  const seen = async () => valueIn((await customer.get('/')).text, 'seen');
  const before = await seen();
  const orders = (await example.orders()).length;
  await add(customer, 'copita');

  const hosted = await customer.send('/checkout/hosted', { ...contact, seen: before });
  const card = await customer.send('/checkout/card', { ...contact, ...control.tokenizeCard(CARDS.paid), seen: before });
  const placed = (await example.orders()).length;
  const paying = await customer.send('/checkout/hosted', { ...contact, seen: await seen() });

  expect([hosted.status, card.status, placed, paying.status]).toEqual([409, 409, orders, 302]);
  for (const { text } of [hosted, card]) expect(text).toContain('Tu carrito cambió.');
  expect(control.sessions().at(-1)?.request.amount_total).toBe(249_00 + 99_50);
});

test('two clicks on the button open one page, for one order', async () => {
  const customer = await example.customer();
  const before = (await example.orders()).length;

  const [one, other] = await Promise.all([startHosted(customer), startHosted(customer)]);

  expect([one.status, other.location]).toEqual([302, one.location]);
  expect(await example.orders()).toHaveLength(before + 1);
});

test('a card without 3D Secure pays the order once, also with two clicks', async () => {
  const customer = await example.customer();
  const before = control.ledger().length;

  const answers = await Promise.all([
    payByCard(example, customer, CARDS.authorized),
    payByCard(example, customer, CARDS.authorized),
  ]);

  const path = await orderPath(example);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  await untilState(customer, path, 'paid');
  expect(control.ledger()).toHaveLength(before + 1);
});

test('a card with 3D Secure is paid after the return from the bank, and not before', async () => {
  const customer = await example.customer();
  const { status, headers } = await payByCard(example, customer, CARDS.challenged);
  const path = await orderPath(example);
  const before = await readStatus(customer, path);
  const payment = control.payments().at(-1);
  control.approve(payment?.id ?? '');

  const { pathname, search } = new URL(payment?.returnUrl ?? '');
  await customer.get(pathname + search);

  expect([status, headers['location'], before]).toEqual([
    302,
    expect.stringContaining('/bank/'),
    { state: 'pending', safe_to_pay_again: false },
  ]);
  await untilState(customer, path, 'paid');
});

test('after a declined card it is safe to pay again, and the next card pays the same order', async () => {
  const customer = await example.customer();
  await payByCard(example, customer, CARDS.declined);
  const path = await orderPath(example);
  await untilState(customer, path, 'declined');
  const declined = await customer.get(path);

  await payByCard(example, customer, CARDS.authorized);

  expect([declined.text.includes('data-safe="true"'), await orderPath(example)]).toEqual([true, path]);
  await untilState(customer, path, 'paid');
});

test('while the page of an order cannot be looked up, or its card is charged, another start leads to the order', async () => {
  const customer = await example.customer();
  await startHosted(customer);
  const path = await orderPath(example);
  control.fault('read-session', { kind: 'status', status: 401 });
  const unknown = await payByCard(example, customer, CARDS.authorized);
  control.clearFaults();
  const other = await example.customer();
  const before = control.calls('process').length;
  control.fault('process', { kind: 'hold' }, 1);
  const paying = payByCard(example, other, CARDS.authorized);
  const answered = paying.then(({ status }) => status);
  await until(() => control.calls('process').length > before);
  const otherPath = await orderPath(example);

  const again = await startHosted(other);
  const page = await other.get(otherPath);
  control.release();

  expect([unknown.status, unknown.headers['location']]).toEqual([303, path]);
  expect([again.status, again.location, await answered]).toEqual([303, otherPath, 303]);
  expect(page.text).toContain('Enviamos el pago. Esperamos la respuesta.');
  await untilState(other, otherPath, 'paid');
});

test('a card payment whose answer is lost is not sent again, and it is not safe to pay again', async () => {
  const customer = await example.customer();
  const before = control.ledger().length;
  control.fault('process', { kind: 'drop', when: 'after' }, 1);
  await payByCard(example, customer, CARDS.authorized);
  const path = await orderPath(example);

  const again = await payByCard(example, customer, CARDS.authorized);

  expect([again.status, again.headers['location'], control.ledger().length]).toEqual([303, path, before + 1]);
  expect((await readStatus(customer, path)).safe_to_pay_again).toBe(false);
});
