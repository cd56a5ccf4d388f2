import { expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { i18nIn } from '../../src/locales/i18n.js';
import { stateTexts } from '../../src/web/order/order-texts.js';
import { orderView, stateFacts } from '../../src/web/order/order-view.js';
import { SHIPPED } from '../support/catalog.js';
import { address, Customer, contact, mugDelivery, mugOrder, readOrderPage } from '../support/customer.js';
import { allOrders, orderOfSession, theOrder } from '../support/inspect.js';
import { openHostedPage, openPageOf, payByCard, placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { expectUnchanged } from '../support/unchanged.js';

const GRACE_MS = 601_000;
const ATTACKER = { ...mugOrder, first_name: 'Mal', last_name: 'Actor', email: 'mal@evil.example' };

/** Adds to the cart and returns the session cookie, as an attacker would plant it. */
async function plantedCookie(shop: TestShop, product_id = 'taza-talavera'): Promise<string> {
  const line = { product_id, quantity: '1' };
  return cookieOf(await supertest(shop.url).post('/cart/items').type('form').send(line));
}

function cookieOf(answer: { headers: Record<string, unknown> }): string {
  const [cookie = ''] = (answer.headers['set-cookie'] ?? []) as readonly string[];
  return cookie.split(';')[0] ?? '';
}

const placeWith = (shop: TestShop, cookie: string, fields: object) =>
  supertest(shop.url).post('/checkout/hosted').set('Cookie', cookie).type('form').redirects(0).send(fields);

/** Returns the page to which a refused form redirects. */
const answerTo = (shop: TestShop, answer: Response) =>
  readWith(shop, cookieOf(answer), String(answer.headers['location']));

const readWith = (shop: TestShop, cookie: string, path: string) => supertest(shop.url).get(path).set('Cookie', cookie);

test('an order page shows what was bought to every holder of the link, and personal data only to the customer who placed the order', async () => {
  await using shop = await openTestShop();
  const { customer, session, orderPath } = await openHostedPage(shop, '2');
  const others = [await Customer.withCart(shop), new Customer(shop)];

  const own = await customer.get(orderPath);
  const pages = await Promise.all(others.map((other) => other.get(orderPath)));
  const states = await Promise.all([customer, ...others].map((one) => one.get(`${orderPath}/status`)));
  shop.clock.advance(61 * 60_000);
  const late = await customer.get(orderPath);

  const { number } = await theOrder(shop);
  expect(readOrderPage(own.text)).toEqual({ state: 'pending', number, detail: true });
  for (const text of ['Eva', 'Ruiz Nava', contact.email, 'Taza de talavera', session]) expect(own.text).toContain(text);
  for (const { text } of pages) {
    expect(readOrderPage(text)).toEqual({ state: 'pending', number, detail: false });
    for (const bought of ['Taza de talavera', '× 2', '$578.00']) expect(text).toContain(bought);
    expect(text).not.toMatch(/\bEva\b|Ruiz Nava|eva\.ruiz|cs_11_/);
  }
  for (const { body } of states) expect(body).toEqual({ number, state: 'pending', safe_to_pay_again: false });
  // The page of an expired session is no longer offered.
  expect(late.text).not.toContain(session);
});

test('an order page of a paid order shows the details to its customer also after the next order', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer);
  await customer.add({ product_id: 'jarra-barro-negro' });
  await payByCard(shop, customer);

  const orders = await allOrders(shop);
  const pages = await Promise.all(orders.map(({ token }) => customer.get(`/orders/${token}`)));

  expect(pages.map(({ text }) => readOrderPage(text).detail)).toEqual([true, true]);
});

test('case 207: the page of an unpaid order names the order that paid its products only to the session that owns both', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer);
  const [paid] = await allOrders(shop);
  await customer.add();
  const { orderPath } = await openPageOf(shop, customer);
  // The same address and products, typed by a stranger.
  const stranger = await openHostedPage(shop);

  const own = await customer.get(orderPath);
  const others = [
    await new Customer(shop).get(orderPath),
    await stranger.customer.get(stranger.orderPath),
    await customer.get(stranger.orderPath),
  ];

  const named = `Ya pagaste estos productos con otro pedido: ${paid?.number}.`;
  expect(own.text).toContain(named);
  expect(own.text).toContain(`href="/orders/${paid?.token}"`);
  for (const { text } of others) {
    expect(text).not.toContain('Ya pagaste');
    expect(text).not.toContain(paid?.number);
  }
});

test('the texts of a paid order say that the receipt was mailed, except without an e-mail address', async () => {
  await using shop = await openTestShop();
  const { order } = await placePaidOrder(shop);
  const i18n = i18nIn(shop.context.web.settings.current().translations, 'es-MX');
  const view = await shop.checkout.payments.viewOf(order);
  // Sections of features say it in their own place.
  const textsOf = (email: string) => {
    const facts = stateFacts({ order: { ...order, email }, view, refunds: [], fulfillment: undefined, now: 0 });
    const page = { ...i18n, publicPath: String };
    return stateTexts(page, orderView(facts), facts, {
      own: undefined,
      lines: [],
      boughtAgain: { notices: [], links: [] },
      sections: [],
    });
  };

  const sentence = i18n.t('states.paid.money');
  expect([textsOf(order.email).includes(sentence), textsOf('').includes(sentence)]).toEqual([true, false]);
});

test('the session id changes when an order is placed, and the earlier id shows no details of it, cannot take it over, and ends after ten minutes', async () => {
  await using shop = await openTestShop();
  const planted = await plantedCookie(shop);
  const placed = await placeWith(shop, planted, mugOrder);
  const path = `/orders/${(await theOrder(shop)).token}`;

  const cart = await readWith(shop, cookieOf(placed), '/cart');
  const page = await readWith(shop, planted, path);
  const form = await readWith(shop, planted, '/checkout');
  const attack = await placeWith(shop, planted, ATTACKER);
  const attacked = await readWith(shop, cookieOf(attack), path);
  shop.clock.advance(GRACE_MS);
  const later = await readWith(shop, planted, '/cart');

  expect(cookieOf(placed)).not.toBe(planted);
  expect(cookieOf(placed)).toMatch(/^tianguis=/);
  expect(cart.text).toContain('Taza de talavera');
  expect(readOrderPage(page.text).detail).toBe(false);
  expect(form.text).not.toContain(contact.email);
  expect(await theOrder(shop)).toMatchObject({ firstName: 'Eva', email: contact.email });
  expect(readOrderPage(attacked.text).detail).toBe(false);
  expect(later.text).toContain('Tu carrito está vacío');
});

test('a session keeps the fields of the shop’s own code when an order is placed', async () => {
  await using shop = await openTestShop();
  const { queries } = shop.checkout.db;
  const planted = await plantedCookie(shop);
  const stored = await queries.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const data = JSON.stringify({ ...JSON.parse(stored.data), ownField: { seen: ['a'] } });
  await queries.updateTable('sessions').set({ data }).execute();

  await placeWith(shop, planted, mugOrder);

  const sessions = await queries.selectFrom('sessions').selectAll().where('sid', '<>', stored.sid).execute();
  expect(sessions.map((session) => JSON.parse(session.data))).toMatchObject([
    { cartId: JSON.parse(data).cartId, ownField: { seen: ['a'] }, orders: [expect.any(String)] },
  ]);
});

test('the session of an attacker who placed the order with the customer’s e-mail address never shows the address', async () => {
  await using shop = await openTestShop();
  const { seen, shipping_option } = mugDelivery;
  const same = { ...address, shipping_option, seen, email: contact.email };
  const guess = { ...ATTACKER, ...same, street: 'Calle Falsa 123' };
  const first = await plantedCookie(shop, SHIPPED);
  const earlier = cookieOf(await placeWith(shop, first, guess));
  const planted = cookieOf(await placeWith(shop, first, guess));

  const victim = cookieOf(await placeWith(shop, planted, { ...contact, ...same }));

  const { token, street } = await theOrder(shop);
  const path = `/orders/${token}`;
  const pages = await Promise.all([
    readWith(shop, earlier, path),
    readWith(shop, planted, path),
    readWith(shop, earlier, '/checkout'),
    readWith(shop, '', path),
  ]);
  expect(street).toBe(address.street);
  for (const { text } of pages) expect(text).not.toMatch(/Macedonio|68000|951 ?555/);
  expect((await readWith(shop, victim, path)).text).toContain('Calle Macedonio Alcalá 507, Int. 4-B');
});

test.each([
  [503, 503],
  [422, 502],
])(
  'after the gateway answered %i the next checkout form is filled for the customer, and not for the earlier session id',
  async (fault, status) => {
    await using shop = await openTestShop();
    const planted = await plantedCookie(shop);
    shop.control.fault('create-session', { kind: 'status', status: fault });

    const failed = await placeWith(shop, planted, mugOrder);
    const own = await readWith(shop, cookieOf(failed), '/checkout');
    const earlier = await readWith(shop, planted, '/checkout');
    const taken = await placeWith(shop, planted, ATTACKER);
    const after = await readWith(shop, cookieOf(taken), '/checkout');

    expect((await answerTo(shop, failed)).status).toBe(status);
    expect(own.text).toContain(`value="${contact.email}"`);
    for (const { text } of [earlier, after]) expect(text).not.toContain(contact.email);
  },
);

const UNKNOWN_TOKENS = [
  ...['A'.repeat(32), 'A'.repeat(31), 'A'.repeat(33), 'TG-7KMX-2AFR', '..%2f..%2fadmin', '__proto__'],
  ...[`${'A'.repeat(32)}%0a`, '%F0%9F%98%80', "'%20OR%201=1--", 'A'.repeat(10_000)],
];

const shop = await openFileShop();
const { control } = shop.simulator;
const { session, returnPath } = await openHostedPage(shop);
const { number, id, cartId } = await orderOfSession(shop, session);
const stranger = new Customer(shop);

test('a link to no order is not found, in the same words for any token, and is neither stored nor looked up', async () => {
  const client = supertest(shop.url);
  const readWithoutPath = async (unknown: string) =>
    (await stranger.get(`/orders/${unknown}`)).text.replace(/value="[^"]*"/g, '');

  await expectUnchanged(shop, async () => {
    for (const unknown of UNKNOWN_TOKENS) {
      const answers = await Promise.all([
        client.get(`/orders/${unknown}`),
        client.get(`/orders/${unknown}/status`),
        client.get(`/checkout/return/${unknown}?session_id=x`),
        client.post(`/checkout/return/${unknown}`),
      ]);
      const statuses = answers.map(({ status }) => status);

      expect([unknown.slice(0, 33), ...statuses]).toEqual([unknown.slice(0, 33), 404, 404, 404, 404]);
    }
    expect(await readWithoutPath('B'.repeat(32))).toBe(await readWithoutPath('nothing'));
  });
});

test('the number and the ids of an order open nothing', async () => {
  for (const known of [number, id, cartId, session])
    expect((await supertest(shop.url).get(`/orders/${known}`)).status).toBe(404);
});

test('a return that names a foreign session redirects to the order without a lookup, and is logged', async () => {
  const claims = [
    ...['cs_unknown', '', 'x'.repeat(10_000), `${session}&session_id=${session}`, `${session}%00`],
    ...[`%20${session}`, '%F0%9F%98%80', '..%2f..%2fadmin', '%00', session.toUpperCase()],
  ];

  await expectUnchanged(shop, async () => {
    for (const claim of claims) {
      const answer = await stranger.get(`${returnPath}?session_id=${claim}`);

      expect([claim.slice(0, 30), answer.status]).toEqual([claim.slice(0, 30), 303]);
    }
  });
  const logged = shop.logged.filter((line) => line.includes('return.session_mismatched'));
  expect(logged).toHaveLength(claims.length);
});

test('a return with parameters of any other shape looks up the stored id only', async () => {
  for (const query of ['session_id[]=other', 'session_id[$ne]=x', 'id=other', '__proto__=x', '&&&=']) {
    const answer = await stranger.get(`${returnPath}?${query}`);

    expect([query, answer.status]).toEqual([query, 303]);
  }
  const paths = control.calls('read-session').map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set([`/checkout/v1/sessions/${session}`]));
});

test.each([
  [0, ['Fecha de pago']],
  [120_000, ['Fecha del pedido', 'Fecha de pago']],
])('an order that was paid %d ms after its placement shows the times %j', async (ms, labels) => {
  await using shop = await openTestShop();
  // The start of a minute.
  passTime(shop, 60_000 - (shop.clock.now() % 60_000));
  const opened = await openHostedPage(shop);
  passTime(shop, ms);
  shop.control.paySession(opened.session);
  await opened.customer.get(opened.returnPath);
  const { text } = await opened.customer.get(opened.orderPath);

  expect([...text.matchAll(/<dt>(Fecha (?:de pago|del pedido))</g)].map(([, label]) => label)).toEqual(labels);
});
