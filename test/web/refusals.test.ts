import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

const TOKEN = 'A'.repeat(32);
const ALLOWED = [
  ['/', 'GET, HEAD'],
  ['/products/taza-de-talavera', 'GET, HEAD'],
  ['/cart', 'GET, HEAD'],
  ['/cart/items', 'POST'],
  ['/cart/items/taza-talavera', 'POST'],
  ['/checkout', 'GET, HEAD'],
  ['/checkout/hosted', 'POST'],
  ['/checkout/card', 'GET, HEAD, POST'],
  ['/checkout/card/access-token', 'POST'],
  [`/checkout/return/${TOKEN}`, 'GET, HEAD, POST'],
  [`/orders/${TOKEN}`, 'GET, HEAD'],
  [`/orders/${TOKEN}/status`, 'GET, HEAD'],
  ['/language', 'POST'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
] as const;

/** Sends bytes as they are and reads what comes back until the connection ends. */
function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8');
    });
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
    socket.write(bytes);
  });
}

describe('refusals', () => {
  test('an address answers its own methods and tells them to any other', async () => {
    await using shop = await openTestShop();
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'];
    const wrong = ALLOWED.flatMap(([path, allowed]) =>
      methods
        .filter((name) => !allowed.split(', ').includes(name))
        .map((method) => ({ path, method, allowed })),
    );

    const answers = await Promise.all(wrong.map(({ method, path }) => ask(shop.url, method, path)));

    expect(answers).toEqual(
      wrong.map(({ allowed: allow }) => ({ status: 405, allow, cacheControl: 'no-store' })),
    );
    expect(await dumpDatabase(shop)).toBe('');
  });

  test('a method that HTTP does not know ends at the parser, and the shop lives on', async () => {
    await using shop = await openTestShop();

    const unknown = await sendRaw(shop.url, 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n');
    const broken = await sendRaw(shop.url, 'GET / HTTP/1.1\r\nHost: x\r\nBad header\r\n\r\n');
    await sendRaw(shop.url, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
    const after = await supertest(shop.url).get('/healthz');

    expect(unknown).toMatch(/^HTTP\/1\.1 400 /);
    expect(broken).toMatch(/^HTTP\/1\.1 400 /);
    expect(after.status).toBe(200);
  });

  test('a method named in a parameter or header overrides nothing', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    const override = await customer.agent
      .get('/cart/items?_method=POST')
      .set('X-HTTP-Method-Override', 'POST');
    const withQuery = await customer.get('/cart?product_id=taza-talavera&quantity=5');

    expect([override.status, withQuery.status]).toEqual([405, 200]);
    expect(await dumpDatabase(shop)).toBe(before);
  });

  test('an address that cannot be read is a bad request or no page, and never a fault', async () => {
    await using shop = await openTestShop();

    for (const path of [
      '/%zz',
      '/products/%c3%28',
      '/orders/%',
      '/checkout/return/%e0%a4%a',
      '/cart/items/%ff',
    ]) {
      const read = await supertest(shop.url).get(path);
      const posted = await supertest(shop.url).post(path).type('form').send({ quantity: '1' });

      for (const { status, text } of [read, posted]) {
        expect([400, 404]).toContain(status);
        expect(text).not.toMatch(/URIError|at .*\.(?:js|ts)/);
      }
    }
  });

  test.each([
    ['application/json', JSON.stringify(contact)],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
    ['text/plain', 'first_name=Eva'],
    ['application/xml', '<a/>'],
    ['application/x-www-form-urlencoded; charset=utf-16', 'first_name=Eva'],
    ['no type at all', 'first_name=Eva'],
  ])('a body of type %s is refused, and nothing changes', async (type, body) => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const path of ['/cart/items', '/checkout/hosted', '/checkout/card', '/language']) {
      const answer = await customer.agent.post(path).set('Content-Type', type).send(body);

      expect([path, answer.status]).toEqual([path, 415]);
    }
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('a body that is too large, has too many fields, or unpacks to too much is refused', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    const large = await customer.post('/checkout/hosted', { ...contact, note: 'x'.repeat(100_000) });
    const many = await customer.post(
      '/checkout/hosted',
      Object.fromEntries(Array.from({ length: 500 }, (_, place) => [`field_${place}`, 'x'])),
    );

    expect([large.status, many.status]).toEqual([413, 413]);
    expect(await dumpDatabase(shop)).toBe(before);
  });

  test('field names of other trades are plain fields that nobody reads', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const answer = await customer.agent
      .post('/checkout/hosted')
      .type('form')
      .redirects(0)
      .send(
        '__proto__=x&__proto__[polluted]=1&constructor[prototype][polluted]=1&a[b][c][d]=1&first_name[$gt]=&hasOwnProperty=1',
      );

    expect(answer.status).toBe(422);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('an error tells its number and nothing of its inside', async () => {
    await using shop = await openTestShop();
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable('orders').renameTo('orders_elsewhere').execute();

    const answer = await supertest(shop.url).get(`/orders/${TOKEN}`);

    const errorId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(answer.text)?.[0];
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/SQL|orders_elsewhere|no such table|relation|node_modules|Error:/);
    expect(shop.logged.join('')).toContain(errorId);
    expect(shop.logged.join('')).not.toContain(TOKEN);
  });
});

function ask(url: string, method: string, path: string) {
  return new Promise<{ status: number | undefined; allow: unknown; cacheControl: unknown }>(
    (resolve, reject) => {
      const sent = request(`${url}${path}`, { method }, (answer) => {
        answer.resume();
        answer.on('end', () =>
          resolve({
            status: answer.statusCode,
            allow: answer.headers['allow'],
            cacheControl: answer.headers['cache-control'],
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}
