import { expect, test } from '@jest/globals';
import { addDays, dayOf } from '../../src/domain/mexico-day.js';
import { formatDay } from '../../src/locales/format.js';
import { addUser, openBackOffice } from '../support/admin.js';
import type { Customer } from '../support/customer.js';
import { orderOfSession } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { allRefunds, openPaidOrder, orderOf, refundStates } from '../support/refunds.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

type Env = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string>>;
const FULL = { reason: 'taza rota', returns_stock: 'no' };

/** Opens a shop whose refunds can be looked up. */
const openShop = (env: Env = {}) =>
  openTestShop({ env: { REFUNDS: 'gateway', ...env }, profile: 'interface' });

/** Pays an order by card and signs in. */
async function openRefundable(shop: TestShop) {
  const { attempt, customer } = await openPaidOrder(shop);
  const { number } = await orderOf(shop, attempt);
  return { attempt, customer, path: `/admin/orders/${number}`, merchant: await openBackOffice(shop) };
}

/** Pays an order on the hosted page and signs in. */
async function openHostedRefundable(shop: TestShop) {
  const { session, returnPath, customer } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  await customer.get(returnPath);
  const { number } = await orderOfSession(shop, session);
  return { path: `/admin/orders/${number}`, merchant: await openBackOffice(shop) };
}

/** Returns the fields of the form with this action, without unchecked choices. */
function readForm(html: string, action: string): Fields {
  const [, form] = new RegExp(`<form[^>]* action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
  if (form === undefined) throw new Error(`no form for ${action}`);
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(
    inputs
      .filter((input) => !input.includes('type="radio"') || / checked/.test(input))
      .map((input) => [attribute(input, 'name'), attribute(input, 'value')]),
  );
}

/** Fills in the first step. Returns its answer, and the fields of the second step if it was reached. */
async function fillIn(
  merchant: Customer,
  path: string,
  { query = 'attempt=1', ...typed }: { readonly query?: string } & Fields,
) {
  const first = await merchant.get(`${path}/refund?${query}`);
  const answer = await merchant.post(`${path}/refund`, {
    ...readForm(first.text, `${path}/refund`),
    ...typed,
  });
  return { first, answer, fields: answer.status === 200 ? readForm(answer.text, `${path}/refunds`) : {} };
}

const returned = (shop: TestShop) =>
  shop.simulator.control.refundLedger().map(({ amountMinor }) => amountMinor);
const errorAt = (html: string, field: string) =>
  new RegExp(`id="${field}-error">([^<]*)<`).exec(html)?.[1] ?? '';
const resultOf = ({ headers }: { readonly headers: Partial<Record<string, string>> }) =>
  headers['location']?.split('result=')[1];

test('a full refund by card is typed in two steps, calls the gateway once and is shown on the order page', async () => {
  await using shop = await openShop();
  const { path, merchant } = await openRefundable(shop);
  const before = await merchant.get(path);

  const { first, answer, fields } = await fillIn(merchant, path, FULL);
  const unsent = returned(shop);
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '$289.00' });
  const page = await merchant.get(done.headers['location'] ?? '');
  const reload = await merchant.post(`${path}/refund`, fields);

  expect(before.text).toContain(`href="${path}/refund?attempt=1&amp;way=gateway"`);
  expect(first.text).toContain('la tienda le pide este reembolso a la pasarela');
  expect(first.text).not.toContain('name="chosen_amount"');
  expect(answer.text).toContain('<dd class="admin-id"><bdi>taza rota</bdi></dd>');
  expect(unsent).toEqual([]);
  expect([done.status, resultOf(done), returned(shop)]).toEqual([303, 'refund_succeeded', [28_900]]);
  expect(await allRefunds(shop)).toMatchObject([{ by: 'admin', reason: 'taza rota', state: 'succeeded' }]);
  expect(page.text).toContain('<dt>Reembolsado</dt><dd>$289.00</dd>');
  expect(page.text).toContain('<dt>Aún se puede reembolsar</dt><dd>$0.00</dd>');
  expect(page.text).toContain('Monto: $289.00.');
  expect(page.text).not.toContain('/refund?');
  expect([reload.status, resultOf(reload)]).toEqual([303, 'refund_not_possible']);
});

test.each<[string, Fields, string, string]>([
  ['no reason', { reason: ' ' }, 'reason', 'Escribe un motivo'],
  ['a reason of 202 characters', { reason: '🏺'.repeat(101) }, 'reason', 'Escribe un motivo'],
  ['a reason with NUL', { reason: 'a\0b' }, 'reason', 'Escribe un motivo'],
  ['a card number as its reason', { reason: '4111 1111 1111 1111' }, 'reason', 'número de tarjeta'],
  ['no answer about the stock', { returns_stock: '' }, 'returns_stock', 'Elige si los productos'],
  ['more than was paid', { chosen_amount: '289.01' }, 'chosen_amount', 'de $289.00 como máximo'],
  ['nothing', { chosen_amount: '0' }, 'chosen_amount', 'mayor que cero'],
  ['a decimal comma', { chosen_amount: '1,50' }, 'chosen_amount', 'mayor que cero'],
  [
    'a part that returns the stock',
    { chosen_amount: '10', returns_stock: 'yes' },
    'returns_stock',
    'completo',
  ],
  [
    'a day in the future',
    { way: 'record', refunded_on: addDays(dayOf(Date.now()), 2) },
    'refunded_on',
    'Elige un día',
  ],
  ['a day that does not exist', { way: 'record', refunded_on: '2026-02-30' }, 'refunded_on', 'Elige un día'],
])(
  'a refund with %s shows the error at its field, keeps the rest and sends nothing',
  async (_what, typed, field, message) => {
    await using shop = await openShop({ REFUND_PARTIAL: 'on' });
    const { path, merchant } = await openRefundable(shop);
    const { way = 'gateway' } = typed;
    const all = { query: `attempt=1&way=${way}`, ...FULL, chosen_amount: '289.00', ...typed };

    const { answer } = await fillIn(merchant, path, all);
    const fields = readForm(answer.text, `${path}/refund`);
    const sent = await merchant.post(`${path}/refunds`, {
      ...fields,
      ...typed,
      amount: typed['chosen_amount'] ?? '289',
    });

    expect([answer.status, sent.status]).toEqual([422, 422]);
    expect(errorAt(answer.text, field)).toContain(message);
    expect(answer.text).toContain(`href="#${field}"`);
    if (field !== 'reason') expect(fields).toMatchObject({ reason: 'taza rota', way });
    expect(answer.text).not.toContain('4111 1111');
    expect(await allRefunds(shop)).toEqual([]);
  },
);

test('another amount in the second step sends nothing and keeps the step', async () => {
  await using shop = await openShop();
  const { path, merchant } = await openRefundable(shop);
  const { fields } = await fillIn(merchant, path, FULL);

  const answer = await merchant.post(`${path}/refunds`, { ...fields, amount: '28.90' });
  const edited = await merchant.post(`${path}/refund`, { ...fields, edit: '1' });

  expect([answer.status, errorAt(answer.text, 'amount')]).toEqual([
    422,
    'El monto no coincide. No se reembolsó ni se registró nada.',
  ]);
  expect(readForm(answer.text, `${path}/refunds`)).toMatchObject({ ...fields, amount: '28.90' });
  expect(readForm(edited.text, `${path}/refund`)).toMatchObject(FULL);
  expect(await allRefunds(shop)).toEqual([]);
});

test('without REFUND_PARTIAL a posted part is ignored, and with it a part is refunded and can be read in the CSV', async () => {
  await using shop = await openShop();
  await using partial = await openShop({ REFUND_PARTIAL: 'on' });
  partial.simulator.control.settings({ refundsPerPayment: 'several' });
  const part = { ...FULL, chosen_amount: '100.50' };

  const whole = await openRefundable(shop);
  const refused = await fillIn(whole.merchant, whole.path, part);
  const { path, merchant } = await openRefundable(partial);
  const { fields } = await fillIn(merchant, path, part);
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '100.5' });
  const page = await merchant.get(path);
  const csv = await merchant.get('/admin/orders.csv');

  expect(refused.answer.text).toContain('Reembolsar $289.00');
  expect([resultOf(done), returned(partial)]).toEqual(['refund_succeeded', [10_050]]);
  expect(page.text).toContain('<dt>Aún se puede reembolsar</dt><dd>$188.50</dd>');
  expect(csv.text).toContain('Total del pedido,Reembolsado,Moneda');
  expect(csv.text).toContain('289.00,100.50,MXN');
});

test('a payment on the hosted page is recorded without a call, with day and stock, and so is a chargeback of a part', async () => {
  await using shop = await openShop();
  const { path, merchant } = await openHostedRefundable(shop);
  const today = dayOf(shop.clock.now());

  const forbidden = await merchant.get(`${path}/refund?attempt=1&way=gateway`);
  const { first, fields } = await fillIn(merchant, path, { ...FULL, returns_stock: 'yes' });
  const chargeback = await fillIn(merchant, path, {
    query: 'attempt=1&way=chargeback',
    ...{ reason: 'banco', chosen_amount: '89' },
  });
  const recorded = await merchant.post(`${path}/refunds`, { ...chargeback.fields, amount: '89.00' });
  const outdated = await merchant.post(`${path}/refunds`, { ...fields, amount: '289.00' });
  const page = await merchant.get(path);
  const csv = await merchant.get('/admin/orders.csv');

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
  expect(csv.text).toContain('289.00,0.00,MXN');
  expect(page.text).toContain('No envíes ni entregues este pedido');
  expect(shop.simulator.control.calls('refund')).toEqual([]);
});

test('a recorded refund of the whole payment returns the products to stock', async () => {
  await using shop = await openShop({ REFUNDS: 'record' });
  const { path, merchant } = await openRefundable(shop);

  const { fields } = await fillIn(merchant, path, { ...FULL, returns_stock: 'yes' });
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '289' });
  const page = await merchant.get(done.headers['location'] ?? '');

  expect(resultOf(done)).toBe('refund_recorded');
  expect(page.text).toContain(`<bdi>${formatDay(Date.now(), 'es-MX')}</bdi>`);
  expect(page.text).toContain('Los productos volvieron al inventario');
  expect(shop.simulator.control.calls('refund')).toEqual([]);
});

test('a double click, and two admin users at once, refund once', async () => {
  await using shop = await openShop({ REFUND_PARTIAL: 'on' });
  shop.simulator.control.settings({ refundsPerPayment: 'several' });
  await addUser(shop, 'ana', 'manager');
  const { path, merchant } = await openRefundable(shop);
  const other = await openBackOffice(shop, 'ana');
  const part = { ...FULL, chosen_amount: '100' };
  const [{ fields }, theirs] = [await fillIn(merchant, path, part), await fillIn(other, path, part)];

  const answers = await Promise.all([
    merchant.post(`${path}/refunds`, { ...fields, amount: '100' }),
    merchant.post(`${path}/refunds`, { ...fields, amount: '100' }),
    other.post(`${path}/refunds`, { ...theirs.fields, amount: '100' }),
  ]);

  expect(returned(shop)).toEqual([10_000]);
  expect(answers.filter((answer) => resultOf(answer) === 'refund_succeeded')).toHaveLength(1);
  for (const { status, text, headers } of answers)
    expect(status === 303 ? headers['location'] : text).toMatch(/result=refund_|El pedido cambió mientras/);
});

/** Sends a refund whose answer is lost. */
async function loseAnswer(shop: TestShop, when: 'before' | 'after', amount = '289.00') {
  const { control } = shop.simulator;
  const opened = await openRefundable(shop);
  const { path, merchant } = opened;
  const { fields } = await fillIn(merchant, path, { ...FULL, chosen_amount: amount });
  control.fault('refund', { kind: 'drop', when }, 1);
  const sent = await merchant.post(`${path}/refunds`, { ...fields, amount });
  const page = await merchant.get(path);
  const [refund] = await allRefunds(shop);
  const action = `${path}/refunds/${refund?.id}`;
  const act = (typed: object) => merchant.post(action, { ...readForm(page.text, action), ...typed });
  return { ...opened, sent, page, act };
}

test('a lost answer needs a person: the overview links the order, which explains it and offers no other refund', async () => {
  await using shop = await openShop({ REFUND_PARTIAL: 'on' });
  const { path, merchant, sent, page } = await loseAnswer(shop, 'after', '100.00');
  const overview = await merchant.get('/admin');
  const again = await merchant.get(`${path}/refund?attempt=1`);

  expect(resultOf(sent)).toBe('refund_unknown');
  expect(page.text).toContain('es posible que el dinero ya se haya devuelto');
  expect(page.text).toContain('<bdi>La conexión se interrumpió antes de recibir la respuesta</bdi>');
  expect(page.text).toContain('<dt>Reembolso sin resolver</dt><dd>$100.00</dd>');
  expect(page.text).not.toContain('/refund?');
  expect(page.text).toContain('No envíes ni entregues este pedido');
  expect(overview.text).toContain('Reembolsos por resolver');
  expect(overview.text).toContain(`href="${path}#refunds"`);
  expect(resultOf(again)).toBe('refund_not_possible');
});

test('an unknown refund is checked with the id from the dashboard, after an error at its field', async () => {
  await using shop = await openShop();
  const { merchant, act, path } = await loseAnswer(shop, 'after');
  const [found] = shop.simulator.control.refunds();

  const refused = await act({ action: 'check', gateway_refund_id: '../x' });
  const unknown = await act({ action: 'check', gateway_refund_id: 'tx-1' });
  const done = await act({ action: 'check', gateway_refund_id: found?.id });
  const page = await merchant.get(path);

  expect(refused.status).toBe(422);
  expect(refused.text).toMatch(/id="gateway-id-[^"]+-error">Escribe el ID/);
  expect(refused.text).toContain('value="../x"');
  expect([resultOf(unknown), resultOf(done)]).toEqual(['refund_unreachable', 'refund_succeeded']);
  expect(page.text).not.toContain('data-test="refund-check"');
});

test('an unknown refund is repeated with the same key once, also after a double click', async () => {
  await using shop = await openShop();
  const { act } = await loseAnswer(shop, 'before');

  const answers = await Promise.all([act({ action: 'repeat' }), act({ action: 'repeat' })]);

  const keys = shop.simulator.control.calls('refund').map(({ headers }) => headers['x-request-id']);
  expect(answers.map(resultOf)).toContain('refund_succeeded');
  expect([returned(shop), keys.length, new Set(keys).size]).toEqual([[28_900], 2, 1]);
});

test.each([
  ['refunded', 'refund_succeeded', 'succeeded'],
  ['not_refunded', 'refund_refused', 'refused'],
])(
  'the answer "%s" of an admin user ends an unknown refund, and an outdated page changes nothing',
  async (action, result, state) => {
    await using shop = await openShop();
    const { act } = await loseAnswer(shop, 'before');

    const outdated = await act({ action, version: '1' });
    const before = await refundStates(shop);
    const done = await act({ action });
    const again = await act({ action });
    const nonsense = await act({ action: 'paid' });

    expect([outdated, done, again].map(resultOf)).toEqual(['refund_changed', result, 'refund_not_open']);
    expect([before, await refundStates(shop), nonsense.status]).toEqual([['unknown'], [state], 400]);
  },
);

test('a pending refund is explained and checked, and with REFUNDS=off it stays visible while nothing new is offered', async () => {
  await using shop = await openShop();
  shop.simulator.control.settings({ refundStatus: 'Pending' });
  const { path, merchant } = await openRefundable(shop);
  const { fields } = await fillIn(merchant, path, FULL);
  const sent = await merchant.post(`${path}/refunds`, { ...fields, amount: '289.00' });
  Object.assign(shop.context.checkout.policy, { refunds: 'off' });
  const second = await openRefundable(shop);
  const [page, other] = [await merchant.get(path), await merchant.get(second.path)];
  const [refund] = await allRefunds(shop);
  const action = `${path}/refunds/${refund?.id}`;
  const form = readForm(page.text, action);
  const check = () => merchant.post(action, { ...form, action: 'check' });

  const unchanged = await check();
  shop.simulator.control.finishRefund(refund?.gatewayRefundId ?? '', 'Success');
  await check();

  expect(resultOf(sent)).toBe('refund_pending');
  expect(page.text).toContain('La pasarela recibió el reembolso y todavía lo procesa');
  expect(page.text).not.toMatch(/\/refund\?|data-test="refund-repeat"/);
  expect(other.text).not.toContain('data-test="admin-refunds"');
  expect(resultOf(await merchant.get(`${second.path}/refund?attempt=1`))).toBe('refund_not_possible');
  expect([resultOf(unchanged), await refundStates(shop)]).toEqual(['refund_unchanged', ['succeeded']]);
});

test('a review links the refund form of the payment that the gateway confirmed, and its refund ends the review', async () => {
  await using shop = await openShop();
  const { customer, returnPath, session } = await openHostedPage(shop);
  const { control } = shop.simulator;
  control.paySession(session);
  control.fault('read-session', { kind: 'rewrite', set: { amount_total: 20_000 } });
  await customer.get(returnPath);
  const { number } = await orderOfSession(shop, session);
  const [path, merchant] = [`/admin/orders/${number}`, await openBackOffice(shop)];

  const before = await merchant.get(path);
  const { first, fields } = await fillIn(merchant, path, { reason: 'otro monto' });
  const done = await merchant.post(`${path}/refunds`, { ...fields, amount: '200' });
  const page = await merchant.get(done.headers['location'] ?? '');

  expect(before.text).toContain('data-test="review-refunds"');
  expect(before.text).toContain('Intento 1: página de pago. Registrar un reembolso hecho en la pasarela…');
  expect(first.text).not.toContain('name="returns_stock"');
  expect(page.text).toContain('<dt>Reembolsado</dt><dd>$200.00</dd>');
  expect(page.text).not.toContain('data-test="admin-review"');
  expect((await orderOfSession(shop, session)).state).toBe('cancelled');
});

test('a viewer sees refunds without their forms, and a refund of another order is not resolved', async () => {
  await using shop = await openShop();
  await addUser(shop, 'vera', 'viewer');
  const { path } = await loseAnswer(shop, 'after');
  const second = await openRefundable(shop);
  const viewer = await openBackOffice(shop, 'vera');
  const [refund] = await allRefunds(shop);

  const [page, other] = [await viewer.get(path), await viewer.get(second.path)];
  const foreign = await second.merchant.post(`${second.path}/refunds/${refund?.id}`, {
    action: 'refunded',
    version: String((await orderOf(shop, second.attempt)).version),
  });

  expect(page.text).toContain('Resultado desconocido');
  expect(page.text).not.toContain('refund-check');
  expect(other.text).toContain('data-test="admin-refunds"');
  expect(other.text).not.toContain('/refund?');
  expect([resultOf(foreign), await refundStates(shop)]).toEqual(['refund_not_open', ['unknown']]);
});
