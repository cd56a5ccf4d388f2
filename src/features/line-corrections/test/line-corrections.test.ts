/** Corrections of the lines of unpaid orders: a new order takes the place of the earlier one. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { centavos, toPesosText } from '@tianguis/payments/rules';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import {
  address,
  Customer,
  contact,
  delivery,
  payer,
  readOrderPage,
  sessionIdOf,
} from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { CARDS, openPageOf, payAndReturn, payByCard, placePaidOrder } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, leftOf, setStock, stockOf } from '../../../../test/support/stock.js';
import { erasePersonalData } from '../../../tables/personal-data.js';
import { NEW, review as reviewNew, valueIn } from '../../merchant-orders/test/support.js';

const shop = await openSharedShop();
let merchant: Customer;

beforeEach(async () => {
  await setStock(shop, 3);
  merchant = await openBackOffice(shop);
});

/** A customer with two limited pieces on the page of the gateway. */
async function openTwoPieces() {
  const opened = await openPageOf(shop, await Customer.withCart(shop, { product_id: LIMITED, quantity: '2' }));
  const [order] = await allOrders(shop);
  return { ...opened, order: order as NonNullable<typeof order> };
}

/** Opens the form, changes fields, and asks for the total. Returns what the last button posts. */
async function review(number: string, fields: Record<string, string>) {
  const path = `/admin/orders/${number}/lines`;
  const opened = await merchant.get(path);
  const hidden = { form_key: valueIn(opened.text, 'form_key'), version: valueIn(opened.text, 'version') };
  const typed = { ...hidden, ...contact, payable_hours: '24', ...fields };
  const page = await merchant.post(path, { ...typed, step: 'total' });
  return { path, opened, confirmed: { ...typed, step: 'create', seen: valueIn(page.text, 'seen') } };
}

async function correct(number: string, fields: Record<string, string>) {
  const { path, confirmed } = await review(number, fields);
  return merchant.post(path, confirmed);
}

const THREE = { product_1: LIMITED, quantity_1: '3' };

test('the form has the lines and the customer, the new order takes over the pieces, and the former link leads to it', async () => {
  await setStock(shop, 6);
  const { customer, order, orderPath } = await openTwoPieces();

  const { path, opened, confirmed } = await review(order.number, { ...THREE, reserve: 'until_end' });
  const answer = await merchant.post(path, confirmed);

  const [earlier, newer] = await allOrders(shop);
  for (const html of [`action="${path}"`, `<h1>Corregir el pedido ${order.number}</h1>`])
    expect(opened.text).toContain(html);
  for (const value of [LIMITED, '2', contact.first_name, contact.email])
    expect(opened.text).toContain(`value="${value}"`);
  // The order needed none. A product that is shipped may be added.
  expect(opened.text).toMatch(/name="shipping_option"[^>]* checked/);
  expect(resultOf(answer)).toBe('lines_corrected');
  expect(newer).toMatchObject({
    state: 'created',
    total: (order.total / 2) * 3,
    email: contact.email,
    supersededBy: null,
  });
  expect(earlier).toMatchObject({ total: order.total, supersededBy: newer?.id, payableUntil: null });
  expect(await leftOf(shop)).toBe(3);
  expect(await shop.queries.selectFrom('reservations').select(['orderId', 'expiresAt']).execute()).toEqual([
    { orderId: newer?.id, expiresAt: newer?.payableUntil },
  ]);
  const href = `href="/orders/${newer?.token}"`;
  for (const shown of [await customer.get(orderPath), await new Customer(shop).get(orderPath)])
    expect(shown.text).toContain(href);
  expect((await new Customer(shop).get(`${orderPath}/pay`)).text).toContain(href);
  expect((await merchant.get(`/admin/orders/${newer?.number}`)).text).toContain(`Corrige el pedido: ${order.number}`);
});

test('a payment of the former page pays the former order, and the new one is not charged', async () => {
  const opened = await openTwoPieces();
  await correct(opened.order.number, THREE);
  const newer = (await allOrders(shop)).at(-1);

  await payAndReturn(shop, opened);
  const payLink = await new Customer(shop).post(`/orders/${newer?.token}/pay/card`, {
    ...payer,
    ...shop.control.tokenizeCard(CARDS.paid),
  });

  expect((await allOrders(shop)).map(({ state }) => state)).toEqual(['paid', 'created']);
  expect(readOrderPage((await opened.customer.get(opened.orderPath)).text).state).toBe('paid');
  expect([payLink.status, shop.control.calls('process')]).toEqual([303, []]);
  expect(await stockOf(shop)).toBe(1);
});

test('after a payment of the former order, the new one is offered for payment nowhere', async () => {
  const opened = await openTwoPieces();
  await correct(opened.order.number, THREE);
  const { token, number } = (await allOrders(shop)).at(-1) ?? {};
  await payAndReturn(shop, opened);

  const person = new Customer(shop);
  const [page, link] = [await person.get(`/orders/${token}`), await person.get(`/orders/${token}/pay`)];

  expect(page.text).toContain('Esta compra puede estar pagada');
  for (const { text } of [page, link]) expect(text).not.toContain(`href="/orders/${token}/pay"`);
  expect((await person.get(`/orders/${token}/status`)).body).toMatchObject({
    state: 'created',
    safe_to_pay_again: false,
  });
  expect((await merchant.get(`/admin/orders/${number}`)).text).not.toContain('data-test="admin-payment-link"');
});

test('the next checkout of the same cart replaces the corrected order, all are linked to the newest, and the first link does not lead to it', async () => {
  const { customer, order, orderPath } = await openTwoPieces();
  await correct(order.number, { product_1: MUG, quantity_1: '1' });

  await customer.payHosted();

  const orders = await allOrders(shop);
  expect(orders.map(({ supersededBy }) => supersededBy)).toEqual([orders[2]?.id, orders[2]?.id, null]);
  expect(orders[2]?.total).toBe(order.total);
  expect((await new Customer(shop).get(orderPath)).text).not.toContain(orders[2]?.token);
});

test('the next checkout of the cart does not pay a corrected order of the same total, which has other lines', async () => {
  const { customer, order } = await openTwoPieces();
  const fields = { ...THREE, discount_kind: 'amount', discount_value: toPesosText(centavos(order.total / 2)) };
  await correct(order.number, fields);

  await customer.payHosted();

  const [, corrected, newest] = await allOrders(shop);
  expect([corrected?.total, newest?.total]).toEqual([order.total, order.total]);
  expect(corrected?.supersededBy).toBe(newest?.id);
});

test('a double click and two managers at once place one order', async () => {
  const { order } = await openTwoPieces();
  const { path, confirmed } = await review(order.number, THREE);
  const other = await review(order.number, THREE);

  const answers = await Promise.all([confirmed, confirmed, other.confirmed].map((each) => merchant.post(path, each)));

  expect(answers.filter((each) => resultOf(each) === 'lines_corrected')).toHaveLength(1);
  expect(await allOrders(shop)).toHaveLength(2);
});

test('an order at the bank, and a paid one, keep their lines, before and after the form was opened', async () => {
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await payByCard(shop, customer, CARDS.declined);
  const [order] = await allOrders(shop);
  const { path, confirmed } = await review(order?.number ?? '', THREE);
  await payByCard(shop, customer, CARDS.challenged);

  const late = await merchant.post(path, confirmed);
  const early = await merchant.get(path);
  await payByCard(shop, await Customer.withCart(shop, { product_id: MUG }), CARDS.paid);
  const paid = (await allOrders(shop)).find(({ state }) => state === 'paid');

  expect([late, early].map(resultOf)).toEqual(['lines_open', 'lines_open']);
  expect(resultOf(await merchant.get(`/admin/orders/${paid?.number}/lines`))).toBe('lines_paid');
  expect(await allOrders(shop)).toHaveLength(2);
});

test('a change of the order since the form was opened places nothing, the typed fields stay, and the next post places it', async () => {
  const { order } = await openTwoPieces();
  const { path, opened, confirmed } = await review(order.number, { ...THREE, first_name: 'Luz' });
  await shop.queries
    .updateTable('orders')
    .set({ email: 'nueva@example.com', version: order.version + 1 })
    .execute();

  const refused = await merchant.post(path, confirmed);
  const repeated = await merchant.post(path, { ...confirmed, version: valueIn(refused.text, 'version') });

  expect([valueIn(opened.text, 'version'), refused.status]).toEqual([String(order.version), 409]);
  for (const text of ['El pedido cambió mientras lo veías', 'value="Luz"', `href="/admin/orders/${order.number}"`])
    expect(refused.text).toContain(text);
  expect(resultOf(repeated)).toBe('lines_corrected');
  expect(await allOrders(shop)).toHaveLength(2);
});

test('a gateway without an answer, and more pieces than are left, place nothing', async () => {
  const { order } = await openTwoPieces();
  const { path, confirmed } = await review(order.number, THREE);
  shop.clock.advance(5_000);
  shop.control.fault('read-session', { kind: 'status', status: 503 }, 10);
  const unanswered = await merchant.post(path, confirmed);
  shop.control.clearFaults();
  shop.clock.advance(60_000);
  await setStock(shop, 2);
  const changed = await merchant.post(path, confirmed);

  expect(resultOf(unanswered)).toBe('lines_unanswered');
  expect(changed.status).toBe(422);
  expect(await allOrders(shop)).toEqual([expect.objectContaining({ id: order.id, supersededBy: null })]);
});

test('a corrected order of another customer is not shown at the former link, also after both were erased', async () => {
  const { order, orderPath } = await openTwoPieces();

  await correct(order.number, { ...THREE, email: 'otra@example.com' });
  const before = await new Customer(shop).get(orderPath);
  const orders = await allOrders(shop);
  const ids = orders.map(({ id }) => id);
  await erasePersonalData(shop.queries, ids);
  const after = await new Customer(shop).get(orderPath);

  for (const { text } of [before, after]) expect(text).not.toContain(orders.at(-1)?.token);
});

test('payments of a telephone order and of its correction that arrive at once: one pays, and the other is a second payment', async () => {
  await merchant.post(NEW, (await reviewNew(merchant)).confirmed);
  const holder = new Customer(shop);
  const open = async () => {
    const order = (await allOrders(shop)).at(-1);
    const opened = await holder.post(`/orders/${order?.token}/pay/hosted`, {});
    return { session: sessionIdOf(opened.headers['location']), returnPath: `/checkout/return/${order?.token}`, order };
  };
  const earlier = await open();
  await correct(earlier.order?.number ?? '', { product_1: MUG, quantity_1: '2' });
  const newer = await open();

  shop.clock.advance(5_000);
  for (const { session } of [earlier, newer]) shop.control.paySession(session);
  await Promise.all([earlier, newer].map(({ returnPath }) => new Customer(shop).get(returnPath)));

  const orders = await allOrders(shop);
  expect(new Set(orders.map(({ state }) => state))).toEqual(new Set(['paid', 'review']));
  expect(orders.find(({ state }) => state === 'review')?.reviewReason).toBe('second_payment');
});

test('after a decision, an order beside which the cart became another one keeps its lines, and that one its link', async () => {
  const { customer, orderId } = await placePaidOrder(shop, contact, { transaction_status: 'Declined' });
  await customer.post(`/cart/items/${MUG}`, { quantity: '0' });
  await customer.add({ product_id: LIMITED });
  await openPageOf(shop, customer);
  const order = (await allOrders(shop)).find(({ id }) => id === orderId);
  if (!order) throw new Error('no order');
  const decision = { decision: 'refund', decision_note: 'Sin pago', version: String(order.version) };
  await merchant.post(`/admin/orders/${order.number}/decision`, decision);
  const before = await allOrders(shop);
  const { confirmed } = await reviewNew(merchant);

  const path = `/admin/orders/${order.number}/lines`;
  const answers = [await merchant.get(path), await merchant.post(path, confirmed)];

  expect(before.map(({ state }) => state)).toEqual(['cancelled', 'pending']);
  expect(answers.map(resultOf)).toEqual(['lines_other_order', 'lines_other_order']);
  expect(await allOrders(shop)).toEqual(before);
});

test('the form of an order with an own shipping price has this price', async () => {
  const shipped = { product_1: SHIPPED, ...address, shipping_option: delivery.id, shipping_price: '50' };
  await merchant.post(NEW, (await reviewNew(merchant, shipped)).confirmed);
  const [order] = await allOrders(shop);

  const { text } = await merchant.get(`/admin/orders/${order?.number}/lines`);

  expect(text).toMatch(/<input id="shipping_price"[^>]* value="50\.00"/);
});

(hasFeature('contact-changes') ? describe : describe.skip)('with a correction of the contact', () => {
  const PERSON = { customer_first_name: 'Eva', customer_last_name: 'Ruiz', customer_phone: '' };
  const correctContact = async (number: string, fields: object) => {
    const order = (await allOrders(shop)).find((each) => each.number === number);
    return merchant.post(`/admin/orders/${number}/contact`, { version: String(order?.version), ...PERSON, ...fields });
  };

  test.each([
    ['the same e-mail', contact.email],
    ['another e-mail', 'nueva@example.com'],
  ])(
    'case 215: after a new link of the new order, with %s, the link of the former one ends too',
    async (_title, email) => {
      const { customer, order, orderPath } = await openTwoPieces();
      await correct(order.number, THREE);
      const { number = '' } = (await allOrders(shop)).at(-1) ?? {};

      const answer = await correctContact(number, { customer_email: email, customer_new_link: 'yes' });
      const shown = await new Customer(shop).get(orderPath);

      const [earlier, newer] = await allOrders(shop);
      expect(resultOf(answer)).toBe('contact_corrected');
      expect(shown.status).toBe(410);
      expect(shown.text).not.toContain(newer?.token);
      // Its own customer still finds the new order.
      expect((await customer.get(orderPath)).headers['location']).toBe(`/orders/${earlier?.token}`);
      expect((await customer.get(`/orders/${earlier?.token}`)).text).toContain(`href="/orders/${newer?.token}"`);
    },
  );

  test('case 215: a form that was open before a correction of the e-mail asks before it uses the former one', async () => {
    const { order } = await openTwoPieces();
    const { path, confirmed } = await review(order.number, THREE);
    await correctContact(order.number, { customer_email: 'nueva@example.com' });
    const { version } = (await allOrders(shop))[0] ?? {};
    const again = { ...confirmed, version: String(version) };

    const asked = await merchant.post(path, again);
    const placed = await merchant.post(path, { ...again, email_asked: contact.email });

    expect(asked.text).toMatch(/id="email-error"[\s\S]*se reemplazó en el pedido/);
    expect(asked.text).toContain(`name="email_asked" value="${contact.email}"`);
    expect(resultOf(placed)).toBe('lines_corrected');
  });
});
