/** Orders that are paid from their link, in another browser than the one that placed them. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import {
  attemptStates,
  DAY,
  MINUTE,
  orderStates,
  reconcileAfter,
  reconcileAll,
} from '../../../../test/checkout/support.js';
import { MUG } from '../../../../test/support/catalog.js';
import { inParallel, numbers, until } from '../../../../test/support/crowd.js';
import { Customer, contact, payer, readOrderPage, sessionIdOf } from '../../../../test/support/customer.js';
import { allAttempts, allFulfillments, allOrders, cartContents, theOrder } from '../../../../test/support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, leftOf, setStock } from '../../../../test/support/stock.js';
import { openTestShop } from '../../../../test/support/test-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';

const shop = await openSharedShop();

/** Places an order whose first card is declined. Returns the path of its link. */
async function openDeclinedOrder(): Promise<string> {
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  return `/orders/${(await theOrder(shop)).token}/pay`;
}

const payLinkByCard = (person: Customer, path: string, card: string = CARDS.paid, fields: object = payer) =>
  person.post(`${path}/card`, { ...fields, ...shop.control.tokenizeCard(card) });

const stateOf = (html: string) => /data-test="pay-link" data-state="(\w+)"/.exec(html)?.[1];

test('the link shows the order without personal data, and opening it writes nothing and sets no cookie', async () => {
  const path = await openDeclinedOrder();
  const person = new Customer(shop);

  await expectUnchanged(shop, async () => {
    for (const address of [path, `${path}/card`]) {
      const page = await person.get(address);
      expect([page.status, page.headers['set-cookie'], page.headers['cache-control']]).toEqual([
        200,
        undefined,
        'no-store',
      ]);
      expect(page.text).toContain('<meta name="robots" content="noindex">');
      expect(page.text).not.toContain('property="og:');
      expect(page.text).toContain((await theOrder(shop)).number);
      const text = page.text.replaceAll((await theOrder(shop)).token, '');
      for (const secret of Object.values(contact)) expect(text).not.toContain(secret);
    }
  });
});

test('case 207: the link warns only the session that owns it and the order that paid its products, until that is refunded', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer);
  const paid = await theOrder(shop);
  await customer.add();
  const { orderPath } = await openPageOf(shop, customer);
  const stranger = await openHostedPage(shop);
  const warns = (html: string) => html.includes(`con otro pedido: ${paid.number}.`);
  const addresses = [`${orderPath}/pay`, `${orderPath}/pay/card`];

  const own = await Promise.all(addresses.map((path) => customer.get(path)));
  const others = [
    await new Customer(shop).get(`${orderPath}/pay`),
    await stranger.customer.get(`${stranger.orderPath}/pay`),
    await customer.get(`${stranger.orderPath}/pay`),
  ];
  await shop.queries.updateTable('attempts').set({ state: 'refunded' }).where('orderId', '=', paid.id).execute();
  const refunded = await customer.get(`${orderPath}/pay`);

  expect(own.map(({ text }) => warns(text))).toEqual([true, true]);
  expect(own[0]?.text).toContain(`href="/orders/${paid.token}"`);
  expect(others.map(({ text }) => text.includes(paid.number))).toEqual([false, false, false]);
  expect(stateOf(refunded.text)).toBe('open');
  expect(warns(refunded.text)).toBe(false);
});

test('the link shows the price before that the customer saw', async () => {
  const product = shop.queries.updateTable('products').where('id', '=', MUG);
  await product.set({ priceBefore: centavos(34_900) }).execute();
  const path = await openDeclinedOrder();
  await product.set({ priceBefore: null }).execute();

  expect((await new Customer(shop).get(path)).text).toMatch(/Antes <s[^>]*>\$349\.00<\/s>/);
});

test('another person pays an order by card and gets neither its details nor its ownership, and only the gateway gets the name', async () => {
  const path = await openDeclinedOrder();
  const person = new Customer(shop);

  const paid = await payLinkByCard(person, path);
  const page = await person.get(paid.headers['location'] ?? '');

  const { token, email, firstName } = await theOrder(shop);
  expect([paid.status, paid.headers['location']]).toEqual([303, `/orders/${token}`]);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
  expect([email, firstName]).toEqual([contact.email, contact.first_name]);
  expect(JSON.stringify(shop.control.calls('process').at(-1))).toContain(payer.email);
  expect(JSON.stringify(shop.control.calls('process').at(-1))).not.toContain(contact.email);
  expect(await attemptStates(shop)).toEqual(['declined', 'paid']);
  expect(await cartContents(shop)).toEqual({});
});

test('another person pays an order on the hosted page, and the return needs no session', async () => {
  const path = await openDeclinedOrder();
  const person = new Customer(shop);

  const redirect = await person.post(`${path}/hosted`, payer);
  const session = sessionIdOf(redirect.headers['location']);
  shop.control.paySession(session);
  const returned = await person.get(path.replace(/\/orders\/(.*)\/pay/, '/checkout/return/$1'));

  expect([redirect.status, returned.status]).toEqual([302, 303]);
  expect(await orderStates(shop)).toEqual(['paid']);
  expect(shop.control.sessions()[0]?.request.customer).toMatchObject({ email: payer.email });
});

test('while an earlier payment cannot be looked up, its customer gets the order, and another person a page without a word about money', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  const path = `${orderPath}/pay`;
  shop.clock.advance(MINUTE);
  shop.control.fault('read-session', { kind: 'status', status: 401 });

  const own = await payLinkByCard(customer, path);
  const other = await payLinkByCard(new Customer(shop), path);

  expect([own.status, own.headers['location']]).toEqual([303, orderPath]);
  const notices = /<div class="notice".*?<\/div>/s.exec(other.text)?.[0] ?? '';
  expect(other.status).toBe(503);
  expect(notices).toContain('Un pago anterior de esta compra sigue sin respuesta');
  expect(notices).not.toMatch(/cobró|cobrado/);
  expect(shop.control.calls('process')).toEqual([]);
});

test('while a card of the order is charged, another person who opens the hosted page gets the order after 3 s', async () => {
  const customer = await Customer.withCart(shop);
  shop.control.fault('process', { kind: 'hold' }, 1);
  const paying = payByCard(shop, customer);
  // A supertest request is sent when it is awaited.
  const sent = paying.then(({ status }) => status);
  await until(() => shop.control.calls('process').length === 1);
  const { token } = await theOrder(shop);

  const other = await new Customer(shop).post(`/orders/${token}/pay/hosted`, payer);
  shop.control.release();

  expect([other.status, other.headers['location'], await sent]).toEqual([303, `/orders/${token}`, 303]);
  expect(shop.control.sessions()).toEqual([]);
  expect(await orderStates(shop)).toEqual(['paid']);
});

test('the session that placed the order types no name again', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  const path = `/orders/${(await theOrder(shop)).token}/pay`;
  const order = await customer.get(path.replace('/pay-link/pay', ''));

  const page = await customer.get(path);
  const paid = await payLinkByCard(customer, path, CARDS.paid, {});

  expect(order.text).toContain(`href="${path}/card"`);
  expect([page.text.includes('name="email"'), paid.status]).toEqual([false, 303]);
  expect(await orderStates(shop)).toEqual(['paid']);
});

test('a person without ownership gets the form again with each missing field', async () => {
  const path = await openDeclinedOrder();

  for (const flow of ['hosted', 'card']) {
    const answer = await new Customer(shop).post(`${path}/${flow}`, { ...payer, email: '' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="email-error"');
    expect(answer.text).toContain('value="Luz"');
  }
  expect(await attemptStates(shop)).toEqual(['declined']);
});

test('two devices that pay an order by card at once charge it once', async () => {
  const path = await openDeclinedOrder();

  await Promise.all(numbers(4).map(() => payLinkByCard(new Customer(shop), path)));

  expect(shop.control.ledger()).toHaveLength(1);
  expect(await orderStates(shop)).toEqual(['paid']);
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('two devices that open the hosted page at once get one page', async () => {
  const path = await openDeclinedOrder();

  const answers = await Promise.all(numbers(4).map(() => new Customer(shop).post(`${path}/hosted`, payer)));

  expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
  expect(shop.control.sessions()).toHaveLength(1);
});

test('beside a hosted page that is open on one device, a card on another needs the confirmed warning', async () => {
  const { orderPath } = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  const person = new Customer(shop);

  const warned = await payLinkByCard(person, `${orderPath}/pay`);
  const paid = await payLinkByCard(person, `${orderPath}/pay`, CARDS.paid, { ...payer, pay_again: '1' });

  expect([warned.status, warned.text.includes('name="pay_again" value="1"'), paid.status]).toEqual([409, true, 303]);
  expect([shop.control.ledger().length, await orderStates(shop)]).toEqual([1, ['paid']]);
});

test('after 8.5 min beside an abandoned 3D Secure page, another device gets the warning and pays', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.challenged);
  const path = `/orders/${(await theOrder(shop)).token}/pay`;
  const person = new Customer(shop);
  const early = await payLinkByCard(person, path);
  shop.clock.advance(9 * MINUTE);

  const warned = await payLinkByCard(person, path);
  const paid = await payLinkByCard(person, path, CARDS.paid, { ...payer, pay_again: '1' });

  expect([early.status, warned.status, warned.text.includes('name="pay_again" value="1"')]).toEqual([303, 409, true]);
  expect([paid.status, await orderStates(shop)]).toEqual([303, ['paid']]);
});

test('a second payment on the page of the first device is flagged for a refund', async () => {
  const opened = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  await payLinkByCard(new Customer(shop), `${opened.orderPath}/pay`, CARDS.paid, { ...payer, pay_again: '1' });

  await payAndReturn(shop, opened);

  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'second_payment' });
});

/** Opens the page of the link in a new browser, and tries both flows. Returns what the page says. */
async function tryLink(path: string): Promise<string | undefined> {
  const before = shop.control.ledger().length;
  const person = new Customer(shop);
  const page = await person.get(path);
  // The script needs the card form.
  expect((await person.get(`${path}/card`)).text).not.toContain('card.js');
  await payLinkByCard(person, path);
  const hosted = await person.post(`${path}/hosted`, payer);
  expect(hosted.status).not.toBe(302);
  expect(shop.control.ledger()).toHaveLength(before);
  return stateOf(page.text);
}

test('an order that was paid, replaced, is in review or past its time starts no payment, and its link says why', async () => {
  const paid = await openHostedPage(shop);
  await payAndReturn(shop, paid);
  const replaced = await openHostedPage(shop);
  await replaced.customer.add({ product_id: 'alebrije-jaguar' });
  const { orderPath: newer } = await openPageOf(shop, replaced.customer);
  const review = await openHostedPage(shop);
  shop.control.fault('read-session', { kind: 'rewrite', set: { currency: 'USD' } });
  await payAndReturn(shop, review);
  shop.control.clearFaults();
  const old = await openDeclinedByOther();
  const states = [];
  for (const { orderPath } of [paid, replaced, review]) states.push(await tryLink(`${orderPath}/pay`));
  shop.clock.advance(7 * DAY);
  states.push(await tryLink(`${old}/pay`));

  expect(states).toEqual(['paid', 'replaced', 'waiting', 'ended']);
  const own = await replaced.customer.get(`${replaced.orderPath}/pay`);
  const foreign = await new Customer(shop).get(`${replaced.orderPath}/pay`);
  expect([own.text.includes(newer), foreign.text.includes(newer)]).toEqual([true, false]);
});

test('an order that a process of the version before replaced during an upgrade starts no payment', async () => {
  const replaced = await openHostedPage(shop);
  const { id, payableUntil } = await theOrder(shop);
  await replaced.customer.add({ product_id: 'alebrije-jaguar' });
  await payAndReturn(shop, await openPageOf(shop, replaced.customer));
  await shop.queries.updateTable('orders').set({ payableUntil }).where('id', '=', id).execute();
  shop.control.expireSession(replaced.session);
  await reconcileAll(shop.checkout);

  expect(await tryLink(`${replaced.orderPath}/pay`)).toBe('replaced');
});

async function openDeclinedByOther(): Promise<string> {
  const known = new Set((await allOrders(shop)).map(({ id }) => id));
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  const order = (await allOrders(shop)).find(({ id }) => !known.has(id));
  return `/orders/${order?.token}`;
}

test('an order whose replaced order was paid late starts no payment', async () => {
  const first = await openHostedPage(shop);
  await first.customer.add({ product_id: 'alebrije-jaguar' });
  const second = await openPageOf(shop, first.customer);
  shop.control.expireSession(second.session);
  await reconcileAll(shop.checkout);
  await payAndReturn(shop, first);

  expect(await tryLink(`${second.orderPath}/pay`)).toBe('waiting');
  expect((await allOrders(shop)).filter(({ state }) => state === 'paid')).toHaveLength(1);
});

test('a sold-out order starts no payment, and a new cart gets what is left', async () => {
  await setStock(shop, 5);
  const customer = await Customer.withCart(shop, { product_id: LIMITED, quantity: '3' });
  const { orderPath, session } = await openPageOf(shop, customer);
  shop.control.expireSession(session);
  await reconcileAfter(shop, 3 * 60 * MINUTE);
  await setStock(shop, 2);

  const state = await tryLink(`${orderPath}/pay`);
  const person = new Customer(shop);
  const filled = await person.post(`${orderPath}/pay/cart`, {});
  const cart = await person.agent.get(filled.headers['location'] ?? '').redirects(1);
  const withoutCookies = await new Customer(shop).get(filled.headers['location'] ?? '');

  expect([state, filled.status]).toEqual(['soldOut', 303]);
  expect(withoutCookies.text).toContain('data-test="no-cookies"');
  expect(cart.text).toMatch(/class="quantity"[^>]*value="2"/);
  expect(await leftOf(shop)).toBe(2);
});

test('a cart that still has the products of a sold-out order gets none twice', async () => {
  await setStock(shop, 3);
  const customer = await Customer.withCart(shop, { product_id: LIMITED, quantity: '3' });
  await customer.add();
  const { orderPath, session } = await openPageOf(shop, customer);
  shop.control.expireSession(session);
  await reconcileAfter(shop, 3 * 60 * MINUTE);
  await setStock(shop, 2);

  for (const _ of numbers(2)) await customer.post(`${orderPath}/pay/cart`, {});

  expect(await cartContents(shop)).toEqual({ [LIMITED]: 3, 'taza-talavera': 1 });
});

test('a card that the gateway refuses frees no pieces of a page that is open on another device', async () => {
  await setStock(shop, 1);
  const opened = await openPageOf(shop, await Customer.withCart(shop, { product_id: LIMITED }));
  shop.clock.advance(MINUTE);
  shop.control.fault('process', { kind: 'status', status: 400 }, 1);

  const refused = await payLinkByCard(new Customer(shop), `${opened.orderPath}/pay`, CARDS.paid, {
    ...payer,
    pay_again: '1',
  });
  const left = await leftOf(shop);
  await payAndReturn(shop, opened);

  expect([refused.status, left]).toEqual([502, 0]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('an order with a product that the merchant has hidden starts no payment', async () => {
  const path = await openDeclinedOrder();
  await shop.queries.updateTable('products').set({ visible: 0 }).where('id', '=', 'taza-talavera').execute();
  const state = await tryLink(path);
  await shop.queries.updateTable('products').set({ visible: 1 }).where('id', '=', 'taza-talavera').execute();

  const { text } = await new Customer(shop).get(path);
  expect([state, stateOf(text)]).toEqual(['soldOut', 'open']);
});

test('the customer cancels an unpaid order from its link, and another person cannot', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  const { token, version } = await theOrder(shop);

  await new Customer(shop).post(`/orders/${token}/cancel`, { version });
  const kept = await orderStates(shop);
  await customer.post(`/orders/${token}/cancel`, { version });

  expect([kept, await orderStates(shop), (await theOrder(shop)).payableUntil]).toEqual([
    ['declined'],
    ['cancelled'],
    null,
  ]);
  expect(await tryLink(`/orders/${token}/pay`)).toBe('ended');
});

test('a card is tried at most three times in ten minutes and ten times in the life of a link', async () => {
  const path = await openDeclinedOrder();
  const statuses: number[] = [];
  for (const minute of numbers(60)) {
    if (minute % 5 === 0) statuses.push((await payLinkByCard(new Customer(shop), path, CARDS.declined)).status);
    shop.clock.advance(MINUTE);
  }
  const page = await new Customer(shop).get(path);

  expect(statuses.filter((status) => status === 303)).toHaveLength(9);
  expect(await allAttempts(shop)).toHaveLength(10);
  expect([page.text.includes('data-test="choose-card"'), page.text.includes('data-test="pay-hosted"')]).toEqual([
    false,
    true,
  ]);
});

test('a post from another site starts no payment', async () => {
  const path = await openDeclinedOrder();
  const person = new Customer(shop);
  person.agent.set('Sec-Fetch-Site', 'cross-site');

  for (const flow of ['hosted', 'card']) expect((await person.post(`${path}/${flow}`, payer)).status).toBe(403);
  expect(await attemptStates(shop)).toEqual(['declined']);
});

test('posts to links of no order are not found and fill no rate limit', async () => {
  await using open = await openTestShop({ env: { RATE_LIMIT: 'on' } });
  const path = `/orders/${'A'.repeat(32)}/pay`;
  const statuses = new Set<number>();
  for (const to of ['hosted', 'card', 'card/access-token', 'cart'])
    for (const _ of numbers(20)) statuses.add((await new Customer(open).post(`${path}/${to}`, payer)).status);

  expect([...statuses]).toEqual([404]);
});

test('100 card tries on one link by 50 networks start at most 10 card payments, and other customers pay', async () => {
  await using open = await openTestShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
  await payByCard(open, await Customer.withCart(open), CARDS.declined);
  const path = `/orders/${(await theOrder(open)).token}/pay`;
  const tokens = open.control.tokenizeCard(CARDS.declined);

  await inParallel(numbers(100), 20, async (index) => {
    const person = new Customer(open);
    person.agent.set('X-Forwarded-For', `2001:db8:${index % 50}::${index}`);
    await person.post(`${path}/card`, { ...payer, ...tokens });
  });
  const customer = await Customer.withCart(open);
  customer.agent.set('X-Forwarded-For', '203.0.113.9');
  const other = await payByCard(open, customer);

  expect(open.control.calls('process').length).toBeLessThanOrEqual(4);
  expect((await customer.get(other.headers['location'] ?? '')).text).toContain('data-state="paid"');
});
