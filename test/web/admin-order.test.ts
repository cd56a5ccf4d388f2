import { expect, test } from '@jest/globals';
import { openBackOffice } from '../support/admin.js';
import { contact } from '../support/customer.js';
import { dumpDatabase, orderOfSession } from '../support/inspect.js';
import { openHostedPage, placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { control } = shop.simulator;
const merchant = await openBackOffice(shop);

/** Pays an order on the hosted page. `set` changes members of the lookup's answer. */
async function openPaid(set?: Record<string, unknown>) {
  const { order, session } = await placePaidOrder(shop, contact, set);
  return { order, session, path: `/admin/orders/${order.number}` };
}

const openReview = () => openPaid({ amount_total: 1 });
/** The gateway confirmed no payment, so the money can be returned by a decision. */
const openUnclear = () => openPaid({ transaction_status: 'Declined' });

/** Returns the facts of the review section by label. */
function reviewOf(html: string): Readonly<Record<string, string>> {
  const [, section = ''] = /data-test="admin-review">([\s\S]*?)<\/section>/.exec(html) ?? [];
  return Object.fromEntries(
    [...section.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, label, value]) => [label, value]),
  );
}

test('an order in the back office shows its customer, lines, attempts and history, with trigger, result and duration of each lookup', async () => {
  const { order, session, path } = await openPaid();

  const { text } = await merchant.get(path);

  for (const part of [order.number, order.email, 'Taza', session, 'Empezó un intento de pago'])
    expect(text).toContain(part);
  expect(text).toContain('Motivo de la consulta: regreso del cliente.');
  expect(text).toContain('Resultado: pagado.');
  expect(text).toMatch(/Tardó \d+ ms\./);
  expect(text).toMatch(/call: read_session · gatewayStatus: [^<]+ · result: paid/);
  expect((await merchant.get('/admin/orders/unknown')).status).toBe(404);
});

test('an order in the back office has the numbers of the gateway beside its id, and labels the one for the dashboard', async () => {
  const { path } = await openPaid({ payment_id: 44_512_345, transaction_id: 'T-1', provider: 'banco' });

  const { text } = await merchant.get(path);

  expect(text).toMatch(/<dt>Número de pago en el panel de la pasarela<\/dt><dd[^>]*>44512345</);
  expect(text).toMatch(/<dt>Número de transacción<\/dt><dd[^>]*>T-1</);
  expect(text).toMatch(/<dt>Procesador<\/dt><dd[^>]*>banco</);
});

test('an order in the back office shows and stores no card number from an answer of the gateway', async () => {
  const { path } = await openPaid({ status: 'x 4111 1111 1111 1111', currency: '<b>4111 1111</b>' });

  const { text } = await merchant.get(path);

  expect(text).not.toMatch(/4111[ -]?1111/);
  expect(await dumpDatabase(shop)).not.toMatch(/4111[ -]?1111/);
});

test('an order in review is on the overview with its reason, and shows the paid and the expected amount', async () => {
  const { path } = await openPaid({ amount_total: 1, currency: 'USD' });

  const list = await merchant.get('/admin');
  const { text } = await merchant.get(path);

  expect(list.text).toContain('El monto pagado no es el del pedido.');
  expect(list.text).toContain(`href="${path}"`);
  expect(reviewOf(text)).toMatchObject({ 'Monto esperado': '$289.00', 'Monto pagado': '0.01 USD' });
  expect(text).toMatch(/paidAmount: 1 · paidCurrency: USD · expectedAmount: 28900/);
  expect([...text.matchAll(/for="decision-(\w+)"/g)].map(([, decision]) => decision)).toEqual([
    ...['confirm', 'refund'],
  ]);
});

test('an order in the back office checked by the merchant is looked up at the gateway at once, and its history names the user', async () => {
  const { session } = await openHostedPage(shop);
  const { number } = await orderOfSession(shop, session);
  control.paySession(session);

  const answer = await merchant.post(`/admin/orders/${number}/check`, {});

  expect(answer.headers['location']).toBe(`/admin/orders/${number}?result=checked`);
  expect((await orderOfSession(shop, session)).state).toBe('paid');
  const { text } = await merchant.get(`/admin/orders/${number}`);
  expect(text).toMatch(/pidió consultar el pago\.<\/strong> Usuario: admin\./);
});

test('a decision is applied once and not on an outdated page, shown with its note and its user, and logged without note and customer', async () => {
  const { order, session, path } = await openUnclear();
  const fields = { decision: 'refund', version: String(order.version), decision_note: '<b>folio 4711</b>' };

  const outdated = await merchant.post(`${path}/decision`, { ...fields, version: '1' });
  const unchanged = await orderOfSession(shop, session);
  const answer = await merchant.post(`${path}/decision`, fields);
  const again = await merchant.post(`${path}/decision`, fields);
  const page = await merchant.get(answer.headers['location'] ?? '');

  expect([outdated.status, unchanged.state]).toEqual([409, 'review']);
  for (const kept of [`name="version" value="${order.version}"`, 'aria-describedby="effects-refund" checked'])
    expect(outdated.text).toContain(kept);
  expect(outdated.text).toContain('&lt;b&gt;folio 4711&lt;/b&gt;</textarea>');
  expect(answer.headers['location']).toBe(`${path}?result=done`);
  expect([again.status, again.text.includes('El pedido cambió mientras lo veías')]).toEqual([409, true]);
  expect((await orderOfSession(shop, session)).state).toBe('cancelled');
  expect(page.text).toContain('&lt;b&gt;folio 4711&lt;/b&gt;');
  expect(page.text).toContain('Usuario: admin.');
  expect(page.text).not.toContain('name="decision"');
  const lines = shop.logged.filter((text) => text.includes(order.number));
  const decided = lines.filter((text) => text.includes('"order.decided"'));
  const results = [{ to: 'changed' }, { decision: 'refund', to: 'done' }, { to: 'changed' }];
  expect(decided.map((line) => JSON.parse(line) as unknown)).toMatchObject(results);
  expect(decided.join('')).not.toMatch(/folio|@/);
});

const undecided = await openReview();

test.each([
  ['without a choice', 'decision', { decision: '' }],
  ['with an unknown choice', 'decision', { decision: 'paid' }],
  ['with two choices', 'decision', { decision: ['refund', 'close'] }],
  ['with an invalid gateway id', 'gateway_id', { gateway_id: '../transactions' }],
  ['with an empty note', 'decision_note', { decision_note: ' \n' }],
  ['with a note of 501 characters', 'decision_note', { decision_note: 'x'.repeat(501) }],
  ['with a card number as its gateway id', 'gateway_id', { gateway_id: '4111-1111-1111-1111' }],
  ['with a card number in its note', 'decision_note', { decision_note: 'folio 12, 4111 1111 1111 1111' }],
])('a decision %s changes nothing and shows the form with the error', async (_what, field, change) => {
  const { order, session, path } = undecided;
  const before = control.calls('read-session').length;
  const version = String(order.version);
  const typed = { decision: 'confirm', gateway_id: 'pay-1', decision_note: 'folio 12', version, ...change };

  const { status, text } = await merchant.post(`${path}/decision`, typed);

  expect(status).toBe(422);
  expect(text.match(/id="[\w]+-error"/g)).toEqual([`id="${field}-error"`]);
  expect(text).toContain(`<a href="#${field}">`);
  if (field !== 'decision') expect(text).toContain('aria-describedby="effects-confirm" checked');
  if (field !== 'gateway_id') expect(text).toContain('value="pay-1"');
  expect(text).toContain(/folio 12|x{501}/.exec(typed.decision_note)?.[0] ?? '');
  expect(text).not.toContain('1111 1111');
  expect((await orderOfSession(shop, session)).version).toBe(order.version);
  expect(control.calls('read-session')).toHaveLength(before);
});
