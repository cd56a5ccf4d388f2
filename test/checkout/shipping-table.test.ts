/** The shipping table that the merchant stores: prices by destination, and changes during a checkout. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { SHIPPED } from '../support/catalog.js';
import { inParallel, numbers } from '../support/crowd.js';
import { address, Customer, contact, mugPickup, shownTotal, valueIn } from '../support/customer.js';
import { allOrders, theOrder } from '../support/inspect.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { costing, storeSettings, tableWith } from '../support/shop-settings.js';

const shop = await openSharedShop();

/** Stores the table as another process does. This one has not read it unless the clock advances. */
async function storeTable(pesos: number, isRead = true): Promise<void> {
  await storeSettings(shop.queries, { shipping: tableWith(pesos) });
  if (isRead) shop.clock.advance(1_000);
}

const openCart = () => Customer.withCart(shop, { product_id: SHIPPED, quantity: '1' });
const oaxaca = { ...contact, ...address, shipping_option: 'standard' };
const merida = { ...oaxaca, state: 'YUC', postal_code: '97000', municipality: 'Mérida' };
const cancun = { ...oaxaca, state: 'ROO', postal_code: '77500', municipality: 'Benito Juárez' };

interface Quotes {
  readonly options: readonly { readonly id: string; readonly seen: string; readonly price: string }[];
  readonly notDelivered?: string;
  readonly isCartChanged?: boolean;
}

/** Asks for the prices of an address, as the script of a page with `seen` does. */
async function quotesFor(customer: Customer, { state }: { readonly state: string }, seen?: string): Promise<Quotes> {
  const shown = seen ?? valueIn((await customer.get('/checkout')).text, 'seen');
  const { text, headers } = await customer.get(`/checkout/quotes?state=${state}&postal_code=&seen=${shown}`);
  expect(headers['cache-control']).toBe('no-store');
  return JSON.parse(text);
}

/** Returns what the page shows for the delivery to an address. */
async function seenFor(customer: Customer, place: { readonly state: string }): Promise<string | undefined> {
  return (await quotesFor(customer, place)).options.find(({ id }) => id === 'standard')?.seen;
}

test('where the delivery is free to some states, product page, cart and checkout show a range that begins with the word for free', async () => {
  await storeTable(0);
  const customer = await openCart();

  for (const path of ['/products/taza-enviada', '/cart', '/checkout']) {
    const { text } = await customer.get(path);
    expect(text).toContain('gratis a $250.00');
    expect(text).not.toContain('$0.00');
  }
});

test('the checkout shows a range before the address, then the price of the address with all fields kept, and the order freezes it', async () => {
  await storeTable(120);
  const customer = await openCart();
  const empty = await customer.get('/checkout');
  const refused = await customer.payHosted({ ...merida, seen: valueIn(empty.text, 'seen') });
  const paid = await customer.payHosted({ ...merida, seen: valueIn(refused.text, 'seen') });

  expect(empty.text).toContain('de $120.00 a $250.00');
  expect(empty.text).toContain('Escribe tu dirección para ver el total');
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('$250.00');
  for (const value of [merida.municipality, merida.postal_code, merida.street])
    expect(refused.text).toContain(`value="${value}"`);
  expect(paid.status).toBe(302);
  expect(await theOrder(shop)).toMatchObject({
    total: 28_900 + 250_00,
    shippingOption: 'standard',
    shippingKind: 'delivery',
    shippingPrice: 250_00,
    shippingDaysMin: 2,
    shippingDaysMax: 4,
  });
});

test('another address with the same price and another delivery time is a new order, which freezes the time of its page', async () => {
  const table = tableWith(120);
  const zones = table.zones.map((zone) =>
    zone.name === 'Yucatán' ? { ...zone, delivery: { ...costing(120), days: { min: 5, max: 9 } } } : zone,
  );
  await storeSettings(shop.queries, { shipping: { ...table, zones } });
  shop.clock.advance(1_000);
  const customer = await openCart();
  const seen = await seenFor(customer, oaxaca);
  await customer.payHosted({ ...oaxaca, seen });
  await customer.payHosted({ ...merida, seen });

  expect(await allOrders(shop)).toMatchObject([
    { shippingDaysMin: 2, shippingDaysMax: 4, supersededBy: expect.any(String) },
    { shippingDaysMin: 5, shippingDaysMax: 9, supersededBy: null },
  ]);
});

test('a form that does not post what its page showed is not accepted', async () => {
  await storeTable(120);
  const customer = await openCart();

  expect((await customer.send('/checkout/hosted', oaxaca)).status).toBe(409);
  expect(await allOrders(shop)).toEqual([]);
});

test('an address without delivery is an error at the state, and pickup is still offered', async () => {
  await storeTable(120);
  const customer = await openCart();
  const refused = await customer.payHosted({ ...cancun, seen: await seenFor(customer, oaxaca) });
  const picked = await customer.payHosted({ ...contact, ...mugPickup });

  expect(refused.status).toBe(409);
  expect(refused.text).toMatch(/id="state-error"[^>]*>.*No entregamos en esta dirección/s);
  expect(refused.text).toContain('value="77500"');
  expect(picked.status).toBe(302);
});

test('the weight of all pieces decides the price by weight', async () => {
  const steps = [
    { upTo: 700, price: centavos(80_00) },
    { upTo: null, price: centavos(150_00) },
  ];
  const table = tableWith(120);
  const zones = table.zones.map((zone) => ({ ...zone, delivery: { ...costing(0), by: 'weight' as const, steps } }));
  await storeSettings(shop.queries, { shipping: { ...table, zones } });
  shop.clock.advance(1_000);
  const priceAt = async (weightG: number | null) => {
    await shop.queries.updateTable('products').set({ weightG }).where('id', '=', SHIPPED).execute();
    const customer = await Customer.withCart(shop, { product_id: SHIPPED, quantity: '2' });
    return /\$(?:80|150)\.00/.exec((await customer.get('/checkout')).text)?.[0];
  };

  expect([await priceAt(350), await priceAt(351), await priceAt(null)]).toEqual(['$80.00', '$150.00', '$150.00']);
});

test('an option that ended after the page was shown is an error at the options, with what was typed', async () => {
  await storeTable(120);
  const customer = await openCart();
  await storeSettings(shop.queries, { shipping: { ...tableWith(120), pickup: false } });
  const refused = await customer.payHosted({ ...contact, ...mugPickup, first_name: 'Zoe' });

  expect(refused.status).toBe(409);
  expect(refused.text).toContain('id="shipping_option-error"');
  expect(refused.text).toContain('value="Zoe"');
  expect(refused.text).not.toContain('Ahora el total es');
});

test('without delivery any more, no error names a field of an address', async () => {
  await storeTable(120);
  const customer = await openCart();
  const zones = tableWith(120).zones.map((zone) => ({ ...zone, delivery: null }));
  await storeSettings(shop.queries, { shipping: { ...tableWith(120), zones } });
  shop.clock.advance(1_000);
  const refused = await customer.payHosted({ ...oaxaca, street: '' });

  expect(refused.status).toBe(422);
  expect(refused.text).toContain('href="#shipping_option"');
  expect(refused.text).not.toContain('href="#street"');
});

test('the script of the form gets the prices of an address', async () => {
  await storeTable(120);
  const customer = await openCart();
  const quotes = async (state: string) => {
    const { options, notDelivered } = await quotesFor(customer, { state });
    return [...options.map(({ id, price }) => [id, price]), notDelivered?.slice(0, 13)];
  };

  const pickup = ['pickup', 'Gratis'];
  expect(await quotes('YUC')).toEqual([['standard', '$250.00'], pickup, undefined]);
  expect(await quotes('ROO')).toEqual([pickup, 'No entregamos']);
  expect(await quotes('')).toEqual([['standard', 'de $120.00 a $250.00'], pickup, undefined]);
});

test('case 203: the prices of an address for another cart than that of the page are not sent', async () => {
  await storeTable(120);
  const customer = await openCart();
  const seen = valueIn((await customer.get('/checkout')).text, 'seen');
  await customer.add();

  expect(await quotesFor(customer, oaxaca, seen)).toEqual({ isCartChanged: true });
  expect((await quotesFor(customer, oaxaca)).options).toHaveLength(2);
});

test('case 197: a price that another process changed after the page was shown is confirmed first, also by a process that has not read it', async () => {
  await storeTable(120);
  const customer = await openCart();
  const seen = await seenFor(customer, oaxaca);
  await storeTable(130, false);
  const refused = await customer.payHosted({ ...oaxaca, seen });
  const paid = await customer.payHosted({ ...oaxaca, seen: valueIn(refused.text, 'seen') });

  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Ahora el total es $419.00');
  expect(paid.status).toBe(302);
  expect((await theOrder(shop)).total).toBe(28_900 + 130_00);
});

test('case 197: while a price changes between two processes, no order has another total than its page', async () => {
  await storeTable(120);
  await using other = await openDoor((await shop.openReplica()).web);
  const customers = await Promise.all(
    numbers(12).map((place) => Customer.withCart(place % 2 === 0 ? shop : other, { product_id: SHIPPED })),
  );
  const confirmed = new Map<string, number>();
  const buy = async (customer: Customer, place: number) => {
    const email = `cliente${place}@example.com`;
    for (let seen: string | undefined; ; ) {
      const { status, text } = await customer.payHosted({ ...oaxaca, email, seen });
      if (status !== 409) return status;
      confirmed.set(email, shownTotal(text));
      seen = valueIn(text, 'seen');
    }
  };
  const changePrices = async () => {
    for (const pesos of [121, 122, 123, 124, 125, 126]) await storeTable(pesos);
  };

  const [statuses] = await Promise.all([inParallel(customers, 6, buy), changePrices()]);

  expect(statuses).toEqual(customers.map(() => 302));
  const orders = await allOrders(shop);
  expect(orders).toHaveLength(customers.length);
  for (const { email, total } of orders) expect([email, total]).toEqual([email, confirmed.get(email)]);
});
