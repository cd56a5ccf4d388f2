/** Copied texts, with what phones, messengers and word processors add to them. */
import { expect, test } from '@jest/globals';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { SHIPPED } from '../support/catalog.js';
import { Customer, mugDelivery, sessionIdOf } from '../support/customer.js';
import { orderOfSession } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const INVISIBLE = [
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u200b', '\u200c'],
  ...['\u200d', '\u200e', '\u200f', '\u2060', '\u00ad', '\ufe0f', '\ufeff', '\u061c'],
];

/** Every value with these characters before, inside and after it. */
const marked = (fields: Readonly<Record<string, string>>, mark: string) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, mark + [...text].join(mark) + mark]));

async function buy(fields: object) {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  const answer = await customer.payHosted(fields);
  return orderOfSession(shop, sessionIdOf(answer.headers['location']));
}

test.each(INVISIBLE)(
  'case 174: an order whose fields have the invisible character %j is stored without it',
  async (mark) => {
    const order = await buy(marked(mugDelivery, mark));

    expect(order).toMatchObject({
      ...{ firstName: 'Eva', lastName: 'Ruiz Nava', email: 'eva.ruiz@example.com', phone: '9515550101' },
      ...{ street: 'Calle Macedonio Alcalá 507', postalCode: '68000', deliveryState: 'OAX' },
    });
  },
);

test.each(['\u2010', '\u2011', '\u2012', '\u2013', '\u2212', '\u2043'])(
  'case 174: an order whose fields have the hyphen %j is stored with plain ones',
  async (hyphen) => {
    const last_name = `Ruiz${hyphen}Nava`;
    const email = `eva${hyphen}ruiz@example${hyphen}shop.com`;
    const phone = `\u202a+52 951${hyphen}555${hyphen}0101\u202c`;
    const order = await buy({ ...mugDelivery, last_name, email, phone, postal_code: ' 68000 ' });

    expect(order).toMatchObject({
      ...{ lastName: 'Ruiz-Nava', email: 'eva-ruiz@example-shop.com', phone: '9515550101', postalCode: '68000' },
    });
  },
);

test('case 101: a name of several scripts and emoji is shown whole, without what changes its direction', async () => {
  const order = await buy({ ...mugDelivery, first_name: 'محمد 👩‍👩‍👧 Ñandú 𝕏 \u202eevil' });

  expect(order.firstName).toBe('محمد 👩👩👧 Ñandú 𝕏 evil');
});

test('case 174: the back office signs in and finds orders by copied texts', async () => {
  const order = await buy({ ...mugDelivery, first_name: 'Ximena' });
  const merchant = new Customer(shop);
  const signIn = await merchant.post('/admin/sign-in', { name: '\u2066admin\u2069 ', password: PASSWORD });
  const find = (q: string) => merchant.get(`/admin/orders?${new URLSearchParams({ q })}`);

  const byNumber = await find(`\u202a${order.number.replaceAll('-', '\u2011')}\u202c`);
  const lists = [await find('xime\u00adna'), await find(`\u200b${order.email}\ufeff`)];

  expect(signIn.headers['location']).toBe('/admin');
  expect(byNumber.headers['location']).toBe(`/admin/orders/${order.number}`);
  for (const { text } of lists) expect(text).toContain(order.number);
});

test('case 174: the catalog is searched by copied texts', async () => {
  const { text } = await new Customer(shop).get(`/?q=${encodeURIComponent('\u200bTala\u00advera\u2060')}`);

  expect(text).toContain('href="/products/taza-de-talavera"');
});

test('case 174: a password is compared as typed', async () => {
  await openBackOffice(shop);

  const answer = await new Customer(shop).post('/admin/sign-in', { name: 'admin', password: `${PASSWORD}\u200b` });

  expect(answer.headers['location']).toBeUndefined();
});

test('a field of one line takes more than its limit in the browser, so that nothing behind pasted spaces is lost', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });

  for (const path of ['/checkout', '/']) expect((await customer.get(path)).text).not.toContain('maxlength');
});
