/** Orders that the merchant makes in the back office, and their payment links. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { attemptStates, HOUR, MINUTE, orderStates, reconcileAfter } from '../../../../test/checkout/support.js';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import {
  address,
  Customer,
  contact,
  delivery,
  payer,
  pesos,
  readOrderPage,
  sessionIdOf,
  shownTotal,
} from '../../../../test/support/customer.js';
import { allAttempts, allFulfillments, allOrders, theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { CARDS, openHostedPage } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { LIMITED, leftOf, setStock, stockOf } from '../../../../test/support/stock.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { cancelOrder } from '../../../shop/order-requests.js';
import { STATE_CODES } from '../../../shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../../shop/rules/default-table.js';
import { form, NEW, review, valueIn } from './support.js';

const shop = await openSharedShop();
await addUser(shop, 'luis', 'fulfillment');

/** Creates an order through both steps. */
async function create(merchant: Customer, fields: object = {}) {
  const answer = await merchant.post(NEW, (await review(merchant, fields)).confirmed);
  if (resultOf(answer) !== 'order_created') throw new Error(`the form answered ${answer.status}`);
  return theOrder(shop);
}

const payLinkOf = async () => `/orders/${(await theOrder(shop)).token}/pay`;
const payByLink = async (card: string = CARDS.paid) =>
  new Customer(shop).post(`${await payLinkOf()}/card`, { ...payer, ...shop.control.tokenizeCard(card) });

test('a manager creates an order, another person pays its link, and order page, order list and receipt show it', async () => {
  const merchant = await openBackOffice(shop);

  const { page } = await review(merchant, { order_note: 'Es regalo' });
  const order = await create(merchant, { order_note: 'Es regalo', phone: '55 1234 5678' });
  const unpaid = await merchant.get(`/admin/orders/${order.number}`);
  const paid = await payByLink();
  const shown = await merchant.get(`/admin/orders/${order.number}`);
  const list = await merchant.get('/admin/orders');
  const mails = await receiveMails(shop);

  expect(page.text).toContain(`Crear el pedido por ${pesos(289_00)}`);
  expect(page.text).toContain('data-test="tax"');
  expect(order).toMatchObject({ id: order.cartId, cartVersion: 1, state: 'created', phone: '5512345678' });
  expect(order.payableUntil).toBe(order.createdAt + 24 * HOUR);
  expect(unpaid.text).toMatch(/Pedido realizado\.<\/strong> Usuario: admin\./);
  expect([paid.status, await orderStates(shop)]).toEqual([303, ['paid']]);
  expect(order.note).toBe('Es regalo');
  for (const link of ['tel:+525512345678', 'https://wa.me/525512345678']) expect(shown.text).toContain(link);
  expect(shown.text).not.toContain('admin-payment-link');
  expect(list.text).toContain(order.number);
  expect(mails.find(({ subject }) => subject.includes('Recibo'))?.to).toBe(contact.email);
  expect(readOrderPage((await new Customer(shop).get(`/orders/${order.token}`)).text).state).toBe('paid');
  expect((await new Customer(shop).get(`/orders/${order.token}`)).text).not.toContain('Es regalo');
});

test('case 198: the link of a merchant order is paid while the shop is closed', async () => {
  await storeSettings(shop.queries, { closing: { until: '2999-01-01', texts: {} } });
  shop.clock.advance(1_000);
  await create(await openBackOffice(shop));

  expect((await payByLink()).status).toBe(303);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('an order with delivery has the shipping of the checkout, and its address', async () => {
  const merchant = await openBackOffice(shop);
  const shipped = { ...address, product_1: SHIPPED, shipping_option: delivery.id };

  const { page } = await review(merchant, { ...shipped, street: '' });
  const order = await create(merchant, shipped);

  expect([page.status, page.text.includes('id="street-error"')]).toEqual([422, true]);
  expect(order).toMatchObject({ total: 289_00 + delivery.price, shippingOption: delivery.id, street: address.street });
});

test('an order to a place without delivery needs a price of its own, and promises no days', async () => {
  const zones = [
    { ...DEFAULT_TABLE.zones[0], name: 'Oaxaca', states: ['OAX'], postalCodes: [], delivery: null },
    { ...DEFAULT_TABLE.zones[0], states: STATE_CODES.filter((state) => state !== 'OAX') },
  ];
  await storeSettings(shop.queries, { shipping: { ...DEFAULT_TABLE, zones } });
  shop.clock.advance(1_000);
  const merchant = await openBackOffice(shop);
  const shipped = { ...address, state: 'OAX', product_1: SHIPPED, shipping_option: 'standard' };

  const { page } = await review(merchant, shipped);
  const order = await create(merchant, { ...shipped, shipping_price: '310' });

  expect([page.status, page.text.includes('id="shipping_price-error"')]).toEqual([422, true]);
  expect(order).toMatchObject({ total: 289_00 + 310_00, shippingPrice: 310_00, shippingDaysMin: null });
});

test('a double click on the last button creates one order, also for the last piece', async () => {
  const merchant = await openBackOffice(shop);
  await setStock(shop, 1);
  const { confirmed } = await review(merchant, { product_1: LIMITED, ...address });

  const answers = await Promise.all([merchant.post(NEW, confirmed), merchant.post(NEW, confirmed)]);
  const late = await merchant.post(NEW, confirmed);

  expect(answers.map(resultOf).toSorted()).toEqual(['order_created', 'order_existed']);
  expect(resultOf(late)).toBe('order_existed');
  expect(await allOrders(shop)).toHaveLength(1);
});

test.each([
  [{ product_1: '' }, 'product_search'],
  [{ email: '' }, 'phone'],
  [{ product_1: 'nada' }, 'product_1'],
  [{ quantity_1: '0' }, 'quantity_1'],
  [{ quantity_1: '60', product_2: MUG, quantity_2: '60' }, 'quantity_2'],
  [{ email: 'eva' }, 'email'],
  [{ phone: '12' }, 'phone'],
  [{ payable_hours: '9000' }, 'payable_hours'],
  [{ order_note: 'Tarjeta 4456 5300 0000 1005' }, 'order_note'],
  [{ product_1: SHIPPED, shipping_option: 'drone' }, 'shipping_option'],
])('a form with %j creates nothing, names the field and shows what was typed', async (fields, name) => {
  const merchant = await openBackOffice(shop);

  const { page, confirmed } = await review(merchant, fields);
  const created = await merchant.post(NEW, confirmed);

  expect([page.status, created.status, await allOrders(shop)]).toEqual([422, 422, []]);
  expect([page.text.includes(`id="${name}-error"`), page.text.includes(`href="#${name}"`)]).toEqual([true, true]);
  expect(page.text).toContain(`value="${contact.last_name}"`);
  expect(page.text).not.toContain('4456 5300');
});

test('a product of which less is left is refused with its name, before and after the total was shown', async () => {
  const merchant = await openBackOffice(shop);
  await setStock(shop, 3);
  const wanted = { product_1: LIMITED, quantity_1: '2', product_2: LIMITED, quantity_2: '1', ...address };
  const { confirmed } = await review(merchant, { ...wanted, shipping_option: 'pickup' });

  await setStock(shop, 2);
  const late = await merchant.post(NEW, confirmed);
  const early = (await review(merchant, wanted)).page;

  for (const page of [late, early]) expect(page.text).toMatch(/Solo quedan 2 piezas de [^<]*Guitarra/);
  expect([late.status, early.status, await allOrders(shop)]).toEqual([422, 422, []]);
});

test('a price that changed after the total was shown creates nothing and shows the new total', async () => {
  const merchant = await openBackOffice(shop);
  const { confirmed } = await review(merchant);
  const price = (amount: number) =>
    shop.queries
      .updateTable('products')
      .set({ price: centavos(amount) })
      .where('id', '=', MUG)
      .execute();

  await price(300_00);
  const answer = await merchant.post(NEW, confirmed);
  await price(289_00);

  expect([answer.status, shownTotal(answer.text), await allOrders(shop)]).toEqual([409, 300_00, []]);
});

const limited = { product_1: LIMITED, ...address, shipping_option: delivery.id };

test('pieces are set aside for the ordinary time, and an order takes them from stock once it is paid', async () => {
  await setStock(shop, 2);
  await create(await openBackOffice(shop), limited);

  const reserved = await leftOf(shop);
  shop.clock.advance(63 * MINUTE);
  const free = await leftOf(shop);
  await payByLink();

  expect([reserved, free, await stockOf(shop)]).toEqual([1, 2, 1]);
  expect(await allFulfillments(shop)).toMatchObject([{ stockTaken: 1 }]);
});

test('pieces that are set aside until the end stay so after a declined card and a page that expired', async () => {
  await setStock(shop, 2);
  await create(await openBackOffice(shop), { ...limited, reserve: 'until_end' });
  const left: (number | null)[] = [];

  await payByLink(CARDS.declined);
  shop.clock.advance(30 * MINUTE);
  left.push(await leftOf(shop));
  const opened = await new Customer(shop).post(`${await payLinkOf()}/hosted`, payer);
  shop.control.expireSession(sessionIdOf(opened.headers['location']));
  await reconcileAfter(shop, 3 * HOUR);
  left.push(await leftOf(shop));
  const states = await orderStates(shop);
  shop.clock.advance(21 * HOUR);
  left.push(await leftOf(shop));

  expect([states, left]).toEqual([['expired'], [1, 1, 2]]);
});

test('a user without the role manager sees no link, and creates nothing', async () => {
  const { number } = await create(await openBackOffice(shop));
  const employee = await openBackOffice(shop, 'luis');

  await expectUnchanged(shop, async () => {
    expect((await employee.get(NEW)).status).toBe(403);
    expect((await employee.post(NEW, form)).status).toBe(403);
    expect((await employee.post(`/admin/orders/${number}/link`, { version: '1' })).status).toBe(403);
    const list = await employee.get('/admin/orders');
    const page = await employee.get(`/admin/orders/${number}`);
    expect(list.text).not.toContain(NEW);
    for (const secret of ['/pay-link/pay', 'wa.me', 'admin-cancel']) expect(page.text).not.toContain(secret);
  });
});

test('the link of any unpaid order is mailed once per click, with number, lines, total and time', async () => {
  const merchant = await openBackOffice(shop);
  await openHostedPage(shop);
  const order = await theOrder(shop);
  const path = `/admin/orders/${order.number}`;
  const send = async () =>
    merchant.post(`${path}/link`, { version: valueIn((await merchant.get(path)).text, 'version') });

  const first = await send();
  const waiting = await send();
  const outdated = await merchant.post(`${path}/link`, { version: String(order.version) });
  const mails = (await receiveMails(shop)).filter(({ subject }) => subject.includes('listo para pagar'));
  const [mail] = mails;

  expect([first, waiting, outdated].map(resultOf)).toEqual(['link_queued', 'link_waiting', 'changed']);
  expect([mails.length, mail?.to]).toEqual([1, contact.email]);
  for (const text of [order.number, pesos(289_00), '1 × Taza', `/orders/${order.token}/pay`, 'hasta:'])
    expect(mail?.text).toContain(text);
  shop.clock.advance(MINUTE);
  expect(resultOf(await send())).toBe('link_queued');
  expect((await receiveMails(shop)).filter(({ subject }) => subject.includes('listo para pagar'))).toHaveLength(2);
});

test('the WhatsApp text has shop, number, total and link, and no personal data', async () => {
  const merchant = await openBackOffice(shop);
  const { number, token } = await create(merchant, { phone: '55 1234 5678' });

  const page = await merchant.get(`/admin/orders/${number}`);
  const href = /href="(https:\/\/wa\.me[^"]*)" target="_blank" rel="noreferrer"/.exec(page.text)?.[1] ?? '';
  const url = new URL(href.replaceAll('&amp;', '&'));
  const text = url.searchParams.get('text') ?? '';
  const [before, after] = text.split(token);

  expect(url.pathname).toBe('/525512345678');
  for (const part of [number, pesos(289_00), `${shop.url}/orders/${token}/pay`]) expect(text).toContain(part);
  for (const secret of [...Object.values(contact), '5512345678']) expect(`${before} ${after}`).not.toContain(secret);
  expect(page.text).toContain(`value="${shop.url}/orders/${token}/pay" readonly`);
});

test('a link that a manager ended starts no payment, releases the pieces, is not mailed any more, and says so', async () => {
  const merchant = await openBackOffice(shop);
  await setStock(shop, 2);
  const { id: orderId, number, version } = await create(merchant, { ...limited, reserve: 'until_end' });
  const path = `/admin/orders/${number}`;

  await merchant.post(`${path}/link`, { version: String(version) });
  const cancellation = { reason: 'paid_outside', text: '' } as const;
  const ended = await cancelOrder(shop.checkout, { orderId, version: version + 1, by: 'admin', cancellation });
  await payByLink();
  const hosted = await new Customer(shop).post(`${await payLinkOf()}/hosted`, payer);
  const link = await new Customer(shop).get(await payLinkOf());
  const page = await merchant.get(path);

  expect([ended, await orderStates(shop), await attemptStates(shop)]).toEqual(['cancelled', ['cancelled'], []]);
  expect([hosted.status, await leftOf(shop), await allAttempts(shop)]).toEqual([303, 2, []]);
  expect(link.text).toContain('data-state="ended"');
  expect(page.text).toContain('Usuario: admin.');
  expect(await receiveMails(shop)).toEqual([]);
  expect(page.text).not.toContain('admin-whatsapp');
});

test('a form with an error redirects to its page, which shows it as typed', async () => {
  const merchant = await openBackOffice(shop);
  const form_key = valueIn((await merchant.get(NEW)).text, 'form_key');

  const answer = await merchant.agent
    .post(NEW)
    .type('form')
    .redirects(0)
    .send({ ...form, form_key, email: 'eva.ruiz', step: 'total' });
  const page = await merchant.get(String(answer.headers['location']));

  expect([answer.status, page.status]).toEqual([303, 422]);
  expect([page.text.includes('value="eva.ruiz"'), page.text.includes('id="email-error"')]).toEqual([true, true]);
});
