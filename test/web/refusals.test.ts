import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, contact } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';
import { expectUnchanged as expectUnchangedShop } from '../support/unchanged.js';

const TOKEN = 'A'.repeat(32);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'];
const READ_ONLY = ['/', '/products/taza-de-talavera', '/checkout', '/healthz', `/orders/${TOKEN}`];
const POST_ONLY = ['/language', '/webhooks/payments'];
const FORMS = ['/cart/items', '/cart/items/taza-talavera', '/checkout/hosted'];
const BOTH = ['/cart', ...FORMS, '/checkout/card', `/checkout/return/${TOKEN}`];

const shop = await openFileShop();

/** Sends bytes as they are. Returns the answer when the connection ends. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(bytes);
  let answer = '';
  for await (const part of socket) answer += part;
  return answer;
}

/** Sends requests of a customer with a cart. They must neither change the database nor call the gateway. */
async function expectUnchanged(run: (customer: Customer) => Promise<void>): Promise<void> {
  const customer = await Customer.withCart(shop);
  await expectUnchangedShop(shop, () => run(customer));
}

test.each([
  ['GET, HEAD', READ_ONLY],
  ['POST', POST_ONLY],
  ['GET, HEAD, POST', BOTH],
])('a method outside of %s is refused with 405 and the allowed ones', async (allowed, paths) => {
  const wrong = METHODS.filter((method) => !allowed.split(', ').includes(method));

  await expectUnchanged(async () => {
    for (const path of paths) {
      const answers = await Promise.all(
        wrong.map((method) => sendRaw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)),
      );
      for (const answer of answers) {
        expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 405']);
        expect(answer).toMatch(new RegExp(`^Allow: ${allowed}\r$`, 'm'));
        expect(answer).toMatch(/^Cache-Control: no-store\r$/m);
      }
    }
  });
});

test('a NUL character in a path, a query or a form is refused with 400, in the back office too', async () => {
  const forms = { '/cart/items': { product_id: 'a\0' }, '/checkout/hosted': { first_name: ['Eva', '\0'] } };

  await expectUnchanged(async (customer) => {
    for (const path of [`/orders/${TOKEN}%00`, '/products/%00', '/?q=%00', '/admin/orders?q=%00', '/admin/orders/a%00'])
      expect([path, (await customer.get(path)).status]).toEqual([path, 400]);
    for (const [path, fields] of Object.entries({ ...forms, '/admin/sign-in': { 'name\0': '' } }))
      expect([path, (await customer.post(path, fields)).status]).toEqual([path, 400]);
    expect((await customer.get('/?q=%2500')).status).toBe(200);
  });
});

test('the address of a form with errors redirects to its page for GET', async () => {
  const customer = await Customer.withCart(shop);

  const answers = await Promise.all(FORMS.map((path) => customer.get(path)));

  expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual([
    [303, '/cart'],
    [303, '/cart'],
    [303, '/checkout'],
  ]);
});

test('a method that HTTP does not define is refused by the parser, and the shop keeps running', async () => {
  const unknown = await sendRaw('BREW / HTTP/1.1\r\nHost: x\r\n\r\n');
  const broken = await sendRaw('GET / HTTP/1.1\r\nHost: x\r\nBad header\r\n\r\n');
  await sendRaw('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');

  for (const answer of [unknown, broken]) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect((await supertest(shop.url).get('/healthz')).status).toBe(200);
});

test('a method named in a parameter or header overrides nothing', async () => {
  await expectUnchanged(async ({ agent }) => {
    const override = await agent.get('/cart/items?_method=POST').set('X-HTTP-Method-Override', 'POST');
    const withQuery = await agent.get('/cart?product_id=taza-talavera&quantity=5');

    expect([override.status, withQuery.status]).toEqual([303, 200]);
  });
});

test.each(['/%zz', '/products/%c3%28', '/checkout/return/%e0%a4%a', '/cart/items/%ff'])(
  'a request for the malformed address %s is answered 400 or 404',
  async (path) => {
    const read = await supertest(shop.url).get(path);
    const posted = await supertest(shop.url).post(path).type('form').send({ quantity: '1' });

    for (const { status, text } of [read, posted]) {
      expect([400, 404]).toContain(status);
      expect(text).not.toMatch(/URIError|at .*\.(?:js|ts)/);
    }
  },
);

test.each([
  ['application/json', JSON.stringify(contact)],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
  ['text/plain', 'first_name=Eva'],
  ['application/x-www-form-urlencoded; charset=utf-16', 'first_name=Eva'],
  ['no type at all', 'first_name=Eva'],
])('a request with a body of type %s is refused and changes nothing', async (type, body) => {
  await expectUnchanged(async ({ agent }) => {
    for (const path of ['/cart/items', '/checkout/hosted', '/checkout/card', '/language']) {
      const answer = await agent.post(path).set('Content-Type', type).send(body);

      expect([path, answer.status]).toEqual([path, 415]);
    }
  });
});

test('a request with a body of 100 kB or 500 fields is refused and changes nothing', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`field_${place}`, 'x']));

  await expectUnchanged(async (customer) => {
    for (const fields of [{ ...contact, note: 'x'.repeat(100_000) }, many])
      expect((await customer.payHosted(fields)).status).toBe(413);
  });
});

test('a request with field names such as __proto__ pollutes no prototype', async () => {
  const customer = await Customer.withCart(shop);
  const fields = '__proto__=x&__proto__[polluted]=1&constructor[prototype][polluted]=1&a[b][c][d]=1';

  const answer = await customer.send('/checkout/hosted', fields);

  expect(answer.status).toBe(422);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('an internal error shows and logs its number, and shows nothing of its cause', async () => {
  await using broken = await openTestShop();
  const { schema } = broken.context.checkout.db.queries;
  await schema.alterTable('orders').renameTo('orders_elsewhere').execute();

  const answer = await supertest(broken.url).get(`/orders/${TOKEN}`);

  const errorId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(answer.text)?.[0];
  expect(answer.status).toBe(500);
  expect(answer.text).not.toMatch(/SQL|orders_elsewhere|no such table|relation|node_modules|Error:/);
  expect(broken.logged.join('')).toContain(errorId);
  expect(broken.logged.join('')).not.toContain(TOKEN);
});

const ITEM = { product_id: 'taza-talavera', quantity: '3' };
const POSTS = [
  ['/cart/items', ITEM],
  ['/cart/items/taza-talavera', { quantity: '0' }],
  ['/cart', { 'quantity[taza-talavera][remove]': '0' }],
  ['/checkout/hosted', contact],
  ['/checkout/card', contact],
  ['/language', { lang: 'en' }],
] as const;

test.each([
  ['Sec-Fetch-Site is cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site is same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ['Sec-Fetch-Site is unknown', { 'Sec-Fetch-Site': 'same-planet' }],
  ['Origin is null', { Origin: 'null' }],
  ['Origin is another site', { Origin: 'https://evil.example' }],
  ['Origin begins like the shop', { Origin: 'http://localhost:1.evil.example' }],
  ['Origin is empty', { Origin: '' }],
])('a post is refused and changes nothing when %s', async (_name, headers) => {
  await expectUnchanged(async ({ agent }) => {
    for (const [path, fields] of POSTS) {
      const answer = await agent.post(path).set(headers).type('form').redirects(0).send(fields);

      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});

test('a post of the shop itself, also of a browser without Sec-Fetch-Site, is accepted', async () => {
  const own = { 'Sec-Fetch-Site': 'same-origin' };
  for (const headers of [{ ...own, Origin: shop.url }, { ...own, Origin: 'null' }, { Origin: shop.url }, {}]) {
    const post = new Customer(shop).agent.post('/cart/items').set(headers);

    expect((await post.type('form').redirects(0).send(ITEM)).status).toBe(303);
  }
});
