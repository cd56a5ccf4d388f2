/** The settings of features: what the merchant changes of the configuration, in pages, jobs, loops and payments. */
import { beforeEach, expect, test } from '@jest/globals';
import { HOUR } from '../../../../test/checkout/support.js';
import { openBackOffice } from '../../../../test/support/admin.js';
import { MUG } from '../../../../test/support/catalog.js';
import { Customer } from '../../../../test/support/customer.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage, placePaidOrder } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { setStock } from '../../../../test/support/stock.js';
import { FEATURES } from '../../index.js';
import { groupsOf } from '../groups.js';

const MERCHANT = 'avisos@tienda.example';
const shop = await openSharedShop({ env: { MERCHANT_EMAIL: MERCHANT, ORDER_PAYABLE_DAYS: '1' } });
const { checkout } = shop;
let merchant: Customer;

beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

const has = (feature: string) => FEATURES.some(({ name }) => name === feature);

/** Posts the group with its values of now, and with these ones. An unchecked box is absent. */
async function save(changed: Readonly<Record<string, string>>) {
  const { text } = await merchant.get('/admin/shop/sales');
  const values = [...text.matchAll(/<input [^>]*name="([^"]+)" type="text"[^>]* value="([^"]*)"/g)];
  const boxes = [...text.matchAll(/name="([^"]+)" type="checkbox" value="(yes)" checked/g)];
  const shown = Object.fromEntries([...values, ...boxes].map(([, name = '', value = '']) => [name, value]));
  const version = String(checkout.settings.current().settingsVersion);
  return merchant.post('/admin/shop/sales', { version, ...shown, ...changed });
}

const sale = async () => {
  await placePaidOrder(shop);
  return (await receiveMails(shop)).filter(({ to }) => to === MERCHANT);
};

(has('merchant-mails') ? test : test.skip)(
  'the merchant gets a mail about each sale until the box is unchecked',
  async () => {
    expect(await sale()).toHaveLength(1);
    await save({ 'merchant-mails.paid': '' });
    expect(await sale()).toHaveLength(1);
    expect((await merchant.get('/admin/shop/sales')).text).toContain(`Te lo mandamos a ${MERCHANT}.`);
  },
);

(has('reminders') ? test : test.skip)(
  'the worker sends reminders after the hours that the merchant sets, none without, and none for orders that were placed without',
  async () => {
    const loop = checkout.loops.find(({ name }) => name === 'reminders');
    const remind = async () => {
      shop.clock.advance(3 * HOUR);
      while (((await loop?.process(new AbortController().signal)) ?? 0) > 0);
      return (await receiveMails(shop)).filter(({ subject }) => subject.includes('sin pagar'));
    };
    await openHostedPage(shop);

    expect(await remind()).toHaveLength(0);
    expect((await save({ 'reminders.hours': '24' })).text).toContain('escribe un número entero de 1 a 23');
    await save({ 'reminders.hours': '2' });
    expect(await remind()).toHaveLength(0);
    await openHostedPage(shop);
    expect(await remind()).toHaveLength(1);
    // The session of the one before ended.
    merchant = await openBackOffice(shop);
    await save({ 'reminders.hours': '' });
    expect(Object.fromEntries(checkout.settings.current().storedSettings)).toEqual({});
  },
);

(has('refunds') ? test : test.skip)(
  'partial refunds are allowed from the moment when the merchant checks the box',
  async () => {
    const { config } = checkout.payments.context;

    expect(config.partialRefunds).toBe(false);
    await save({ 'refunds.partial': 'yes' });
    expect(config.partialRefunds).toBe(true);
    await storeSettings(shop.queries, { 'refunds.partial': 'yes' });
    shop.clock.advance(1_000);
    await new Customer(shop).get('/cart');
    expect(config.partialRefunds).toBe(false);
  },
);

const LISTS_OF_FEW = [
  { feature: 'low-stock', path: '/admin' },
  { feature: 'products', path: '/admin/products?filter=low' },
].filter(({ feature }) => has(feature));

(has('products') ? test : test.skip)(
  'the overview and the list show products up to the stock that the merchant calls few',
  async () => {
    await setStock(shop, 8, MUG);
    const few = async () => {
      const pages = await Promise.all(LISTS_OF_FEW.map(async ({ path }) => (await merchant.get(path)).text));
      return pages.map((text) => text.includes(`/admin/products/${MUG}"`));
    };

    expect(await few()).toEqual(LISTS_OF_FEW.map(() => false));
    await save({ 'products.low': '8' });
    expect(await few()).toEqual(LISTS_OF_FEW.map(() => true));
    expect((await save({ 'products.low': '101' })).status).toBe(422);
  },
);

test('a value of another type or outside of its limits changes nothing, and a removed feature has no setting', async () => {
  const names = groupsOf(shop.context.web.settings.current()).flatMap(({ settings }) => settings);
  await storeSettings(shop.queries, {
    ...Object.fromEntries(names.filter(({ kind }) => kind === 'number').map(({ name }) => [name, 1_000])),
    ...Object.fromEntries(names.filter(({ kind }) => kind === 'switch').map(({ name }) => [name, 'no'])),
    'removed.setting': true,
  });
  shop.clock.advance(1_000);
  await checkout.settings.refresh();

  expect(checkout.settings.current().configChanges).toEqual({});
  expect((await merchant.get('/admin/shop')).text).not.toContain('removed');
});
