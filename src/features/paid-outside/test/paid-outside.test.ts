/** Payments past the gateway as a manager records them and takes them back. */
import { beforeEach, expect, test } from '@jest/globals';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { allAttempts, allFulfillments, theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { CARDS, payByCard } from '../../../../test/support/purchase.js';
import { attemptOf, record } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, openLimitedPage, setStock, stockOf } from '../../../../test/support/stock.js';
import { addDays, dayOf } from '../../../shop/rules/mexico-day.js';

const shop = await openSharedShop();
const { queries } = shop.context.checkout.db;
let merchant: Awaited<ReturnType<typeof openBackOffice>>;

beforeEach(async () => {
  await setStock(shop, 3);
  merchant = await openBackOffice(shop);
});

async function openDeclinedOrder() {
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await payByCard(shop, customer, CARDS.declined);
  return customer;
}

async function post(path: 'paid-outside' | 'reversal', fields: Record<string, string>) {
  const { number, version } = await theOrder(shop);
  return merchant.post(`/admin/orders/${number}/${path}`, { version: String(version), ...fields });
}

const CASH = { method: '01', note: 'Pagó en el local' };

test('a manager records cash: the order is paid, the receipt and the pages name the form of payment and no card', async () => {
  const customer = await openDeclinedOrder();

  const recorded = await post('paid-outside', CASH);
  const mails = await receiveMails(shop);

  const order = await theOrder(shop);
  const page = await merchant.get(`/admin/orders/${order.number}`);
  const receipt = mails.find(({ subject }) => subject.startsWith('Recibo'))?.text ?? '';
  expect(resultOf(recorded)).toBe('outside_recorded');
  expect(order).toMatchObject({ state: 'paid', reviewReason: null });
  expect((await allAttempts(shop)).at(-1)).toMatchObject({ flow: 'outside', method: '01' });
  expect([(await allFulfillments(shop)).length, await stockOf(shop)]).toEqual([1, 2]);
  expect(receipt).toContain('Forma de pago: efectivo');
  expect(receipt).not.toContain('tarjeta');
  expect((await customer.get(`/orders/${order.token}`)).text).toContain('Forma de pago: efectivo');
  expect(page.text).not.toContain('La pasarela confirmó este pago');
  for (const text of [
    'Pagó en el local',
    'efectivo',
    'La pasarela no lo confirmó',
    'Un usuario del panel registró un pago por fuera',
    'admin',
  ])
    expect(page.text).toContain(text);
});

test.each([
  ['no form of payment', { method: '' }, 'Elige la forma de pago.'],
  ['another code', { method: '17' }, 'Elige la forma de pago.'],
  ['a day before the order', { paid_on: '2020-01-01' }, 'Elige un día entre el del pedido y hoy.'],
  ['a day that does not exist', { paid_on: '2026-02-31' }, 'Elige un día entre el del pedido y hoy.'],
  ['a card number', { note: '4111 1111 1111 1111' }, 'Esto parece un número de tarjeta'],
  ['a long note', { note: 'x'.repeat(201) }, '200 caracteres como máximo'],
])('%s is an error at its field, and nothing is recorded', async (_name, change, message) => {
  await openDeclinedOrder();

  const answer = await post('paid-outside', { ...CASH, ...change });

  expect(answer.status).toBe(422);
  expect(answer.text).toContain(message);
  expect(await theOrder(shop)).toMatchObject({ state: 'declined' });
});

test('case 199: while a payment page is open the form says from when a payment is recorded, and a post is refused', async () => {
  await openLimitedPage(shop);
  const { number } = await theOrder(shop);

  const page = await merchant.get(`/admin/orders/${number}`);
  const refused = await post('paid-outside', CASH);

  expect(page.text).toContain('todavía puede estar pagando');
  expect(page.text).not.toContain('data-test="outside-record"');
  expect(resultOf(refused)).toBe('outside_open');
  expect(await theOrder(shop)).toMatchObject({ state: 'pending' });
});

test('case 199: two managers record the same payment at once: one row', async () => {
  await openDeclinedOrder();

  await Promise.all([post('paid-outside', CASH), post('paid-outside', CASH)]);

  const flows = (await allAttempts(shop)).map(({ flow }) => flow);
  expect(flows).toEqual(['card', 'outside']);
  expect([(await allFulfillments(shop)).length, await stockOf(shop)]).toEqual([1, 2]);
});

const daysAgo = (days: number) => addDays(dayOf(shop.clock.now()), -days);
/** The history of an order that a manager made, or by which a manager corrected another one. */
const MADE_BY_USER = { detail: JSON.stringify({ by: 'admin' }) };

test.each([0, 1, 31])(
  'case 211: an order that a manager made is recorded as paid %i days before, and its own day stays',
  async (days) => {
    const customer = await openDeclinedOrder();
    await queries.updateTable('orderEvents').set(MADE_BY_USER).where('kind', '=', 'placed').execute();
    const { createdAt, number, token } = await theOrder(shop);
    const form = await merchant.get(`/admin/orders/${number}`);

    const recorded = await post('paid-outside', { ...CASH, paid_on: daysAgo(days) });

    const order = await theOrder(shop);
    expect(form.text).toContain(`min="${daysAgo(31)}" max="${daysAgo(0)}"`);
    expect(resultOf(recorded)).toBe('outside_recorded');
    expect([order.createdAt, dayOf(order.paidAt ?? 0)]).toEqual([createdAt, daysAgo(days)]);
    expect(dayOf(order.confirmedAt ?? 0)).toBe(daysAgo(0));
    expect((await customer.get(`/orders/${token}`)).status).toBe(200);
  },
);

test.each([
  ['of a manager 32 days before its record', true, 0, 32],
  ['of a customer on the day before it', false, 0, 1],
  ['of a customer 32 days before its record', false, 40, 32],
])('case 211: an order %s is an error at the day, which names the first one', async (_what, isByUser, age, days) => {
  await openDeclinedOrder();
  if (isByUser) await queries.updateTable('orderEvents').set(MADE_BY_USER).where('kind', '=', 'placed').execute();
  shop.clock.advance(age * 24 * 60 * 60_000);
  merchant = await openBackOffice(shop);

  const answer = await post('paid-outside', { ...CASH, paid_on: daysAgo(days) });

  expect(answer.status).toBe(422);
  expect(answer.text).toMatch(/id="paid_on-error">.*Elige un día entre el [^<]+ y hoy\.</);
  expect((await theOrder(shop)).state).toBe('declined');
});

test('case 211: the refund of a payment before the order may be of the day of the payment, and not of an earlier one', async () => {
  await openDeclinedOrder();
  await queries.updateTable('orderEvents').set(MADE_BY_USER).where('kind', '=', 'placed').execute();
  await post('paid-outside', { ...CASH, paid_on: daysAgo(5) });
  const attempt = await attemptOf(shop, await theOrder(shop));

  const early = await record(shop, attempt, { refundedOn: daysAgo(6) });
  const same = await record(shop, attempt, { refundedOn: daysAgo(5) });

  expect([early, same]).toMatchObject([{ kind: 'refused', reason: 'day' }, { kind: 'done' }]);
});

test('a payment of an earlier day is counted on that day', async () => {
  await openDeclinedOrder();
  const { createdAt } = await theOrder(shop);
  shop.clock.advance(3 * 24 * 60 * 60_000);
  merchant = await openBackOffice(shop);

  await post('paid-outside', { ...CASH, paid_on: dayOf(createdAt) });

  const { paidAt } = await theOrder(shop);
  expect(dayOf(paidAt ?? 0)).toBe(dayOf(createdAt));
});

test('a payment outside is reversed once: the order stays paid, is not delivered, and the stock returns by choice', async () => {
  const customer = await openDeclinedOrder();
  await post('paid-outside', CASH);
  const earlier = await receiveMails(shop);

  const unanswered = await post('reversal', { reversal_reason: 'La transferencia no llegó' });
  const answers = await Promise.all(
    [1, 2].map(() => post('reversal', { reversal_reason: 'La transferencia no llegó', returns_stock: 'yes' })),
  );
  const mails = await receiveMails(shop);

  const refunds = await queries.selectFrom('refunds').selectAll().execute();
  const order = await theOrder(shop);
  expect(unanswered.text).toContain('Elige si los productos vuelven al inventario.');
  expect(answers.map(resultOf)).toContain('outside_reversed');
  expect(refunds).toMatchObject([{ kind: 'reversal', state: 'recorded', amount: order.total, by: 'admin' }]);
  expect(order).toMatchObject({ state: 'paid', payableUntil: null });
  expect((await allAttempts(shop)).at(-1)?.state).toBe('refunded');
  expect(await stockOf(shop)).toBe(3);
  expect(mails).toHaveLength(earlier.length);
  expect((await customer.get(`/orders/${order.token}`)).text).toContain('Se anuló el pago de tu pedido');
});

test('the review of money that arrives after a reversal says so, and not that the customer paid twice', async () => {
  await openDeclinedOrder();
  await post('paid-outside', CASH);
  await post('reversal', { reversal_reason: 'La transferencia no llegó', returns_stock: 'yes' });
  await queries.updateTable('orders').set({ reviewReason: 'second_payment' }).execute();

  const { text } = await merchant.get(`/admin/orders/${(await theOrder(shop)).number}`);

  expect(text).toContain('después de que se anuló el pago por fuera');
  expect(text).not.toContain('El cliente pagó dos veces');
});

test('case 200: the reversal after the goods were shipped returns no stock, and the form does not ask', async () => {
  await openDeclinedOrder();
  await post('paid-outside', CASH);
  await queries.updateTable('fulfillments').set({ state: 'shipped' }).execute();
  const { number } = await theOrder(shop);

  const page = await merchant.get(`/admin/orders/${number}`);
  const reversed = await post('reversal', { reversal_reason: 'Devolvimos el efectivo', returns_stock: 'yes' });

  expect(page.text).not.toContain('returns_stock');
  expect(resultOf(reversed)).toBe('outside_reversed');
  expect(await theOrder(shop)).toMatchObject({ state: 'paid' });
  expect(await queries.selectFrom('refunds').select(['kind', 'returnsStock']).execute()).toEqual([
    { kind: 'reversal', returnsStock: 0 },
  ]);
  expect(await stockOf(shop)).toBe(2);
});

test('a payment that is reversed before its receipt was sent causes no mail, and no receipt is sent again', async () => {
  await openDeclinedOrder();
  await post('paid-outside', CASH);
  await post('reversal', { reversal_reason: 'La transferencia no llegó', returns_stock: 'yes' });

  const mails = await receiveMails(shop);
  const { number } = await theOrder(shop);
  const page = await merchant.get(`/admin/orders/${number}`);

  expect(mails.filter(({ subject }) => /Recibo|reembols/i.test(subject))).toEqual([]);
  expect(page.text).not.toContain('data-test="admin-resend"');
  expect(page.text).toContain('Pago anulado');
});

test('the gateway gives no answer: the form shows it, and what was typed stays', async () => {
  await openLimitedPage(shop);
  const { offerEndsAt = 0 } = (await allAttempts(shop))[0] ?? {};
  shop.clock.advance(offerEndsAt + 120_001 - shop.clock.now());
  merchant = await openBackOffice(shop);
  shop.control.fault('read-session', { kind: 'status', status: 503 }, 5);

  const answer = await post('paid-outside', CASH);
  shop.control.clearFaults();

  expect(answer.status).toBe(422);
  for (const text of ['no confirmó que el cliente no está pagando', 'Pagó en el local', 'value="01" selected'])
    expect(answer.text).toContain(text);
  expect(await theOrder(shop)).not.toMatchObject({ state: 'paid' });
});

test('an order paid outside without stock names no gateway and links its reversal', async () => {
  await openDeclinedOrder();
  await setStock(shop, 0);
  await post('paid-outside', CASH);
  const { number, reviewReason } = await theOrder(shop);

  const { text } = await merchant.get(`/admin/orders/${number}`);

  expect(reviewReason).toBe('oversold');
  expect(text).toContain(`href="/admin/orders/${number}#reversal"`);
  expect(text).not.toContain('La pasarela confirmó');
});
