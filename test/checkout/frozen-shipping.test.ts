/** An order freezes its shipping option: pages and mails show the columns of its row, whatever the rules are by now. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { type I18n, i18nIn } from '../../src/locales/i18n.js';
import type { FrozenShipping } from '../../src/shop/rules/frozen-shipping.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import type { Order } from '../../src/tables/orders.js';
import { openBackOffice } from '../support/admin.js';
import { SHIPPED } from '../support/catalog.js';
import { Customer, mugDelivery, delivery as option } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const BICYCLE = {
  shippingOption: 'bicycle',
  shippingLabel: 'Bicicleta <1 día>',
  shippingKind: 'delivery',
  shippingPrice: centavos(0),
  shippingDaysMin: 17,
  shippingDaysMax: 18,
} as const satisfies FrozenShipping;

/** A process of the version before. */
const ID_ALONE = {
  shippingOption: 'pickup',
  shippingLabel: null,
  shippingKind: null,
  shippingPrice: null,
  shippingDaysMin: null,
  shippingDaysMax: null,
} as const satisfies FrozenShipping;

const i18nOf = (locale: (typeof LOCALES)[number]) => i18nIn(shop.context.web.settings.current().translations, locale);
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

/** Places an order with delivery in this locale, changes what it froze, and pays it. Returns its texts. */
async function buy(locale: (typeof LOCALES)[number], { t }: Pick<I18n, 't'>, frozen: Partial<Order>) {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  await customer.post('/language', { lang: locale, back: '/' });
  const page = await openPageOf(shop, customer, mugDelivery);
  const placed = await theOrder(shop);
  await shop.queries.updateTable('orders').set(frozen).execute();
  await payAndReturn(shop, page);
  const merchant = await openBackOffice(shop);
  const receipt = (await receiveMails(shop)).find(
    ({ subject }) => subject === t('receipt.subject', { number: placed.number }),
  );
  return {
    placed,
    orderPage: textOf((await customer.get(page.orderPath)).text),
    adminPage: textOf((await merchant.get(`/admin/orders/${placed.number}`)).text),
    receipt: receipt?.text.replace(/\s+/g, ' '),
  };
}

test.each(LOCALES)('an order in %s freezes its shipping option, and shows what it froze', async (locale) => {
  const i18n = i18nOf(locale);
  const { t } = i18n;

  const { placed, orderPage, adminPage, receipt } = await buy(locale, i18n, BICYCLE);

  const { days } = option;
  expect(placed).toMatchObject({
    shippingOption: option.id,
    shippingLabel: t(`shipping.${option.id}.label`),
    shippingKind: 'delivery',
    shippingPrice: option.price,
    shippingDaysMin: days?.min ?? null,
    shippingDaysMax: days?.max ?? null,
  });
  const label = 'Bicicleta &lt;1 día&gt;';
  const time = { min: BICYCLE.shippingDaysMin, max: BICYCLE.shippingDaysMax };
  expect(orderPage).toContain(` ${label} · ${t('shipping.free')} `);
  expect(receipt).toContain(` ${t('shipping.time', time)} `);
  expect(adminPage).toContain(` ${label} · ${i18nOf(LOCALES[0]).t('shipping.time', time)} `);
});

test.each(LOCALES)('an order in %s of a process of the version before shows what its id means', async (locale) => {
  const i18n = i18nOf(locale);
  const { t } = i18n;

  const { orderPage, adminPage, receipt } = await buy(locale, i18n, { ...ID_ALONE, street: '' });

  expect(orderPage).toContain(` ${t('shipping.kinds.pickup')} `);
  expect(adminPage).toContain(` ${i18nOf(LOCALES[0]).t('shipping.kinds.pickup')} `);
  expect(receipt).toContain(` ${t('shipping.pickup.hint')} `);
});

test('an unpaid order is replaced when its shipping option has another kind by now, and continued otherwise', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  const first = await openPageOf(shop, customer, mugDelivery);
  await shop.queries.updateTable('orders').set({ shippingLabel: 'Bicicleta', shippingKind: null }).execute();
  const second = await openPageOf(shop, customer, mugDelivery);
  await shop.queries.updateTable('orders').set({ shippingKind: 'pickup' }).execute();
  const third = await openPageOf(shop, customer, mugDelivery);

  expect([second.session === first.session, third.session === first.session]).toEqual([true, false]);
});
