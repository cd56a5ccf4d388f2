import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { addUser, openBackOffice, ROLES, resultOf } from '../../../../test/support/admin.js';
import { cellsInExport } from '../../../../test/support/csv.js';
import { contact } from '../../../../test/support/customer.js';
import { orderOfSession } from '../../../../test/support/inspect.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { type Fields, readForm } from '../../../../test/support/read-form.js';
import {
  allRefunds,
  BY_GATEWAY,
  openPaidOrder,
  orderOf,
  record,
  refundStates,
  startNextDay,
} from '../../../../test/support/refunds.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, setStock, stockOf } from '../../../../test/support/stock.js';
import { addDays, dayOf } from '../../../shop/rules/mexico-day.js';
import { refunds } from '../feature.js';

const FULL = { reason: 'taza rota', returns_stock: 'no' };

const shop = await openFileShop({ ...BY_GATEWAY, env: { REFUNDS: 'gateway', REFUND_PARTIAL: 'on' } });
startNextDay(shop);
const { control } = shop.simulator;
const { config, db, payments } = shop.context.checkout;
const { queries } = db;
/** The shop and its payments have the same settings. */
const changeConfig = (changes: Partial<typeof config>) => {
  // The payments ask for `partialRefunds` each time.
  const { partialRefunds: _, ...fixed } = changes;
  Object.assign(config, changes);
  Object.assign(payments.context.config, fixed);
};
control.settings({ refundsPerPayment: 'several' });
const merchant = await openBackOffice(shop);

let returnedBefore = 0;
beforeEach(async () => {
  await db.queries.deleteFrom('refunds').execute();
  returnedBefore = control.refundLedger().length;
});

/** Pays an order by card. */
async function openRefundable() {
  const { attempt } = await openPaidOrder(shop);
  const { number } = await orderOf(shop, attempt);
  return { attempt, path: `/admin/orders/${number}` };
}

/** Fills in the first step. Returns its answer, and the fields of the second step if it was reached. */
async function fillIn(path: string, { query = 'attempt=1', ...typed }: { readonly query?: string } & Fields) {
  const first = await merchant.get(`${path}/refund?${query}`);
  const form = readForm(first.text, `${path}/refund`);
  const answer = await merchant.post(`${path}/refund`, { ...form, ...typed });
  return { first, answer, fields: answer.status === 200 ? readForm(answer.text, `${path}/refunds`) : {} };
}

/** Returns the amounts that the gateway returned in this test. */
const returned = () =>
  control
    .refundLedger()
    .map(({ amountMinor }) => amountMinor)
    .slice(returnedBefore);
const errorAt = (html: string, field: string) =>
  new RegExp(`id="${field}-error"><span class="hidden">Error:</span> ([^<]*)<`).exec(html)?.[1] ?? '';

const unrefunded = await openRefundable();

test('both steps of a refund show the numbers with which the gateway knows the payment', async () => {
  const { attempt, path } = await openRefundable();

  const { first, answer } = await fillIn(path, FULL);

  for (const { text } of [first, answer]) {
    expect(text).toMatch(new RegExp(`<dt>Número de transacción</dt><dd[^>]*><bdi>${attempt.transactionId}<`));
    for (const number of [attempt.gatewayId, attempt.paymentId]) expect(text).toContain(`<bdi>${number}</bdi>`);
  }
});

test.each<[string, Fields, string, string]>([
  ['no reason', { reason: ' ' }, 'reason', 'Escribe un motivo'],
  ['a reason of 202 characters', { reason: '🏺'.repeat(101) }, 'reason', 'Escribe un motivo'],
  ['a card number as its reason', { reason: '4111 1111 1111 1111' }, 'reason', 'número de tarjeta'],
  ['no answer about the stock', { returns_stock: '' }, 'returns_stock', 'Elige si los productos'],
  ['more than was paid', { chosen_amount: '289.01' }, 'chosen_amount', 'de $289.00 como máximo'],
  ['nothing', { chosen_amount: '0' }, 'chosen_amount', 'mayor que cero'],
  ['returned stock for a part', { chosen_amount: '10', returns_stock: 'yes' }, 'returns_stock', 'completo'],
  ['a future day', { way: 'record', refunded_on: addDays(dayOf(shop.clock.now()), 2) }, 'refunded_on', 'un día'],
  ['an unknown day', { way: 'record', refunded_on: '2026-02-30' }, 'refunded_on', 'Elige un día'],
])('a refund with %s shows the error and sends nothing', async (_what, typed, field, message) => {
  const { path } = unrefunded;
  const { way = 'gateway', chosen_amount = '289.00' } = typed;
  const all = { query: `attempt=1&way=${way}`, ...FULL, chosen_amount, ...typed };

  const { answer } = await fillIn(path, all);
  const fields = readForm(answer.text, `${path}/refund`);
  const sent = await merchant.post(`${path}/refunds`, { ...fields, ...typed, amount: chosen_amount });

  expect([answer.status, sent.status]).toEqual([422, 422]);
  expect(errorAt(answer.text, field)).toContain(message);
  expect(answer.text).toContain(`href="#${field}"`);
  if (field !== 'reason') expect(fields).toMatchObject({ reason: 'taza rota', way });
  expect(answer.text).not.toContain('4111 1111');
  expect(await allRefunds(shop)).toEqual([]);
});

test('without REFUND_PARTIAL a posted part is ignored, and with it a part is refunded and can be read in the CSV', async () => {
  const { attempt, path } = await openRefundable();
  const part = { ...FULL, chosen_amount: '100.50' };

  changeConfig({ partialRefunds: false });
  const whole = await fillIn(path, part);
  changeConfig({ partialRefunds: true });
  const { fields } = await fillIn(path, part);
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '100.5' });
  const page = await merchant.get(path);
  const cells = await cellsInExport(refunds, shop, { id: attempt.orderId });

  expect(whole.first.text).not.toContain('name="chosen_amount"');
  expect(whole.answer.text).toContain('Reembolsar $289.00');
  expect([resultOf(done), returned()]).toEqual(['refund_succeeded', [10_050]]);
  expect(page.text).toContain('<dt>Aún se puede reembolsar</dt><dd>$188.50</dd>');
  expect(cells).toEqual({ Reembolsado: '100.50' });
});

test('case 209: the question about the stock names all pieces that would return, and after a "no" the form has none', async () => {
  await setStock(shop, 5);
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED, quantity: '2' });
  const { number, total } = await orderOf(shop, attempt);
  const path = `/admin/orders/${number}`;
  const pieces = '2 × Guitarra clásica de Paracho';
  const uncounted = await merchant.get(`${unrefunded.path}/refund?attempt=1`);

  const first = await fillIn(path, { ...FULL, returns_stock: 'yes' });
  const { fields } = await fillIn(path, { ...FULL, chosen_amount: '10.00' });
  await merchant.post(`${path}/refunds`, { ...fields, amount: '10.00' });
  const second = await fillIn(path, { reason: 'el resto', returns_stock: 'yes' });
  const done = await merchant.post(`${path}/refunds`, { ...second.fields, amount: String((total - 10_00) / 100) });

  expect(uncounted.text).toContain('Las existencias de estos productos no se cuentan');
  expect(first.first.text).toContain(`Vuelven todas estas piezas: ${pieces}. `);
  expect(first.answer.text).toContain(`Sí, vuelven al inventario: ${pieces}<`);
  expect(second.first.text).toContain(`No vuelve ninguna pieza al inventario: ${pieces}. `);
  expect(second.first.text).not.toContain('name="returns_stock"');
  expect([resultOf(done), await stockOf(shop)]).toEqual(['refund_succeeded', 3]);
});

test('the CSV counts a reversed payment as returned, so that total and returned money agree with the sales', async () => {
  const { attempt } = await openRefundable();
  await queries.updateTable('attempts').set({ flow: 'outside' }).where('id', '=', attempt.id).execute();
  await record(shop, attempt, { way: 'reversal' });

  expect(await cellsInExport(refunds, shop, { id: attempt.orderId })).toEqual({ Reembolsado: '289.00' });
});

test('the CSV counts no refund of a second payment, whose money is not in the total', async () => {
  const { attempt } = await openRefundable();
  const second = { ...attempt, id: `${attempt.id}-2`, ordinal: 2, gatewayId: `${attempt.gatewayId}-2` };
  await queries.insertInto('attempts').values(second).execute();
  await record(shop, second);
  const before = await cellsInExport(refunds, shop, { id: attempt.orderId });
  await record(shop, attempt, { amount: centavos(10_000) });

  expect(before).toEqual({ Reembolsado: '0.00' });
  expect(await cellsInExport(refunds, shop, { id: attempt.orderId })).toEqual({ Reembolsado: '100.00' });
});

test('a partly and a fully refunded order have a badge on their page and in the list, and show the paid amount', async () => {
  const { path } = await openRefundable();
  const badges = [];
  for (const amount of ['100.50', '188.50']) {
    const { fields } = await fillIn(path, { ...FULL, chosen_amount: amount });
    await merchant.post(`${path}/refunds`, { ...fields, amount });
    for (const page of [path, '/admin/orders?q=eva']) {
      const { text } = await merchant.get(page);
      badges.push(/>Pagado<\/span>\s<span\sclass="admin-state tone-bad">([^<]*)</.exec(text)?.[1]);
    }
  }

  const [partial, full] = ['Reembolso parcial', 'Reembolsado'];
  expect(badges).toEqual([partial, partial, full, full]);
  expect((await merchant.get(path)).text).toContain('<dt>Monto pagado</dt><dd class="admin-id">$289.00</dd>');
});

test('a payment on the hosted page is recorded without a call, with day and stock, and so is a chargeback of a part', async () => {
  const { order } = await placePaidOrder(shop);
  const path = `/admin/orders/${order.number}`;
  const today = dayOf(shop.clock.now());
  const calls = control.calls('refund').length;

  const forbidden = await merchant.get(`${path}/refund?attempt=1&way=gateway`);
  const { first, fields } = await fillIn(path, { ...FULL, returns_stock: 'yes' });
  const query = 'attempt=1&way=chargeback';
  const chargeback = await fillIn(path, { query, reason: 'banco', chosen_amount: '89' });
  const recorded = await merchant.post(`${path}/refunds`, { ...chargeback.fields, amount: '89.00' });
  const outdated = await merchant.post(`${path}/refunds`, { ...fields, amount: '289.00' });
  const page = await merchant.get(path);

  expect(resultOf(forbidden)).toBe('refund_not_possible');
  expect(first.text).toContain('La tienda no llama a la pasarela');
  expect(fields).toMatchObject({ refunded_on: today, returns_stock: 'yes' });
  expect(resultOf(recorded)).toBe('refund_recorded');
  expect(await allRefunds(shop)).toMatchObject([
    { kind: 'chargeback', amount: 8_900, state: 'recorded', refundedOn: today },
  ]);
  // The order changed, so the first step is shown again with what is left.
  expect([outdated.status, outdated.text.includes('El pedido cambió mientras')]).toEqual([422, true]);
  expect(outdated.text).toContain('<dt>Aún se puede reembolsar</dt><dd class="admin-id"><bdi>$200.00');
  expect(page.text).toContain('<dt>Contracargos</dt><dd>$89.00</dd>');
  expect(control.calls('refund')).toHaveLength(calls);
});

/** Sends a refund whose answer is lost. */
async function loseAnswer() {
  const { path } = await openRefundable();
  const { fields } = await fillIn(path, FULL);
  control.fault('refund', { kind: 'drop', when: 'before' }, 1);
  const sent = await merchant.post(`${path}/refunds`, { ...fields, amount: '289.00' });
  expect(resultOf(sent)).toBe('refund_unknown');
  const page = await merchant.get(path);
  const [refund] = await allRefunds(shop);
  const action = `${path}/refunds/${refund?.id}`;
  const act = (typed: object) => merchant.post(action, { ...readForm(page.text, action), ...typed });
  return { act };
}

test.each([
  ['repeat', 'refund_succeeded', 'succeeded', [28_900]],
  ['refunded', 'refund_succeeded', 'succeeded', []],
  ['not_refunded', 'refund_refused', 'refused', []],
])('the action "%s" ends an unknown refund once', async (action, result, state, amounts) => {
  const { act } = await loseAnswer();

  const outdated = await act({ action, version: '1' });
  const before = await refundStates(shop);
  const done = await act({ action });
  const again = await act({ action });
  const nonsense = await act({ action: 'paid' });

  expect([outdated, done, again].map(resultOf)).toEqual(['refund_changed', result, 'refund_not_open']);
  expect([before, await refundStates(shop), nonsense.status]).toEqual([['unknown'], [state], 400]);
  expect(returned()).toEqual(amounts);
});

test('a pending refund is explained and checked, and with REFUNDS=off it stays visible while nothing new is offered', async () => {
  control.settings({ refundStatus: 'Pending' });
  const { path } = await openRefundable();
  const { fields } = await fillIn(path, FULL);
  const sent = await merchant.post(`${path}/refunds`, { ...fields, amount: '289.00' });
  changeConfig({ refunds: 'off' });
  const [page, other] = [await merchant.get(path), await merchant.get(unrefunded.path)];
  const otherForm = await merchant.get(`${unrefunded.path}/refund?attempt=1`);
  const [refund] = await allRefunds(shop);
  const action = `${path}/refunds/${refund?.id}`;
  const check = () => merchant.post(action, { ...readForm(page.text, action), action: 'check' });

  const unchanged = await check();
  control.finishRefund(refund?.gatewayRefundId ?? '', 'Success');
  await check();
  changeConfig({ refunds: 'gateway' });
  control.settings({ refundStatus: 'Success' });

  expect(resultOf(sent)).toBe('refund_pending');
  expect(page.text).toContain('La pasarela recibió el reembolso y todavía lo procesa');
  expect(page.text).not.toMatch(/\/refund\?|data-test="refund-repeat"/);
  expect(other.text).not.toContain('data-test="admin-refunds"');
  expect(resultOf(otherForm)).toBe('refund_not_possible');
  expect([resultOf(unchanged), await refundStates(shop)]).toEqual(['refund_unchanged', ['succeeded']]);
});

test('a review links the refund form of the payment that the gateway confirmed, and its refund ends the review', async () => {
  const { order, session } = await placePaidOrder(shop, contact, { amount_total: 20_000 });
  const path = `/admin/orders/${order.number}`;

  const before = await merchant.get(path);
  const { first, fields } = await fillIn(path, { reason: 'otro monto' });
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '200' });
  const page = await merchant.get(done.headers['location'] ?? '');

  expect(before.text).toContain('data-test="review-refunds"');
  expect(first.text).not.toContain('name="returns_stock"');
  expect(page.text).toContain('<dt>Reembolsado</dt><dd>$200.00</dd>');
  expect(page.text).not.toContain('data-test="admin-review"');
  expect((await orderOfSession(shop, session)).state).toBe('cancelled');
});

test('a refund of another order is not resolved', async () => {
  await loseAnswer();
  const [refund] = await allRefunds(shop);

  const foreign = await merchant.post(`${unrefunded.path}/refunds/${refund?.id}`, {
    action: 'refunded',
    version: String((await orderOf(shop, unrefunded.attempt)).version),
  });

  expect([resultOf(foreign), await refundStates(shop)]).toEqual(['refund_not_open', ['unknown']]);
});

test('only a manager is offered a refund, and a user of the role fulfillment sees no refunds', async () => {
  const { path } = await openRefundable();
  const offered: string[] = [];
  const shown: string[] = [];
  for (const role of ROLES) {
    await addUser(shop, role, role);
    const { text } = await (await openBackOffice(shop, role)).get(path);
    if (text.includes('/refund?')) offered.push(role);
    if (text.includes('admin-refunds')) shown.push(role);
  }

  expect(offered).toEqual(['manager']);
  expect(new Set(shown)).toEqual(new Set(['manager', 'viewer']));
});

test.each([
  ['without a reason', { reason: '' }, 422],
  ['complete', FULL, 200],
])('a first step %s redirects to its page, so that Back and reload post nothing', async (_what, typed, status) => {
  const { path } = await openRefundable();
  const form = readForm((await merchant.get(`${path}/refund?attempt=1`)).text, `${path}/refund`);

  const answer = await merchant.agent
    .post(`${path}/refund`)
    .type('form')
    .redirects(0)
    .send({ ...form, ...typed });
  const page = await merchant.get(String(answer.headers['location']));

  expect([answer.status, page.status]).toEqual([303, status]);
});
