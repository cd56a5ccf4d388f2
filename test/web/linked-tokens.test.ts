/** Links to an order that a mail program or a sentence cut or extended. */
import { expect, test } from '@jest/globals';
import { FEATURES } from '../../src/features/index.js';
import { paths as orderPaths } from '../../src/web/paths.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { exchange } from '../support/http.js';
import { theOrder } from '../support/inspect.js';
import { routesOf } from '../support/pages.js';
import { openHostedPage, openPaidPage } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
const { queries } = shop;
const TOKEN = 'Zk3v9Qw2LmN8pRt5YxB7cDfG1hJ4sK6a';
const SIGNS = [
  ...['.', ',', ')', ').', ';', '>', '"', "'", '*', '_', '-', '...', '%2E', '%2C', '%29', '%3E', '%3B', '%22', '%27'],
  ...[
    '%20',
    '%20Gracias',
    '.%20Gracias',
    '%C2%A0',
    '%E2%80%8B',

    '%E2%80%9D.',
    '%E2%80',
    '%',
    '&a=1',
    '%2F',
  ],
];

const locationOf = async (path: string) => {
  const { status, headers } = await exchange(shop.url, path);
  return [status, headers.location];
};

test.each(SIGNS)(
  'a link whose token is followed by %j redirects to the clean address with its query',
  async (signs) => {
    await openHostedPage(shop);
    const { token } = await theOrder(shop);

    expect(await locationOf(`/orders/${token}${signs}`)).toEqual([303, `/orders/${token}`]);
    expect(await locationOf(`/orders/${token}${signs}?a=1?b=.`)).toEqual([303, `/orders/${token}?a=1?b=.`]);
    expect(await locationOf(`/checkout/return/${token}${signs}?a=1`)).toEqual([303, `/checkout/return/${token}?a=1`]);
  },
);

test('each page of an order has a clean address: GET redirects to it, and another method acts', async () => {
  await openHostedPage(shop);
  const { token } = await theOrder(shop);
  const routes = routesOf(shop).filter((route) => /^(?:GET|POST) \/orders\/:token/.test(route));
  expect(routes.length).toBeGreaterThan(1);
  for (const route of routes) {
    const method = route.startsWith('GET ') ? 'GET' : 'POST';
    const clean = route.slice(method.length + 1).replace(':token', token);
    for (const path of [clean.replace(token, `${token}).`), `${clean}.%E2%80%8B`]) {
      const { status, headers } = await exchange(shop.url, path, { method });
      const direct = await exchange(shop.url, clean, { method });
      const isPage = method === 'GET' && direct.status !== 405;
      const expected = isPage ? [303, clean] : [direct.status, direct.headers.location];
      expect([route, status, headers.location]).toEqual([route, ...expected]);
    }
  }
});

test('each route with a token is one whose links are cleaned', () => {
  const paths = [orderPaths.orders, ...FEATURES.flatMap((feature) => feature.linkPaths ?? [])];
  const routes = routesOf(shop).filter((route) => route.includes('/:token'));

  const others = routes.filter((route) => !paths.some((path) => route.includes(` ${path}/:token`)));

  expect(others).toEqual([]);
});

test('a return by POST whose token is followed by a sign verifies the order', async () => {
  const { returnPath, orderPath } = await openPaidPage(shop);

  const back = await exchange(shop.url, `${returnPath}.`, { method: 'POST' });

  expect([back.status, back.headers.location]).toEqual([303, orderPath]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid' });
});

test.each(['-', '_'])(
  'an older link without the %j at its end opens its order, and no shorter one does',
  async (last) => {
    const { customer } = await openHostedPage(shop);
    const cut = TOKEN.slice(0, 31);
    await queries
      .updateTable('orders')
      .set({ token: cut + last })
      .execute();

    expect(await locationOf(`/orders/${cut}?a=1`)).toEqual([303, `/orders/${cut}${last}?a=1`]);
    expect(await locationOf(`/orders/${cut}).`)).toEqual([303, `/orders/${cut}${last}`]);
    expect(await locationOf(`/orders/${cut}/status`)).toEqual([303, `/orders/${cut}${last}/status`]);
    expect(await locationOf(`/checkout/return/${cut}?a=1`)).toEqual([303, `/checkout/return/${cut}${last}?a=1`]);
    expect(readOrderPage((await customer.get(`/orders/${cut}${last}`)).text).state).toBe('pending');
    const others = [cut.slice(0, 30), `${cut}a`, `${cut.toLowerCase()}`, `${cut}${last}a`, `a${cut}`];
    for (const other of others) expect((await new Customer(shop).get(`/orders/${other}`)).status).toBe(404);
  },
);

test('an order whose token ends with a letter is not opened by a shorter or longer one', async () => {
  await openHostedPage(shop);
  await queries.updateTable('orders').set({ token: TOKEN }).execute();

  for (const other of [TOKEN.slice(0, 31), `${TOKEN}a`, TOKEN.toLowerCase()])
    expect((await new Customer(shop).get(`/orders/${other}`)).status).toBe(404);
});
