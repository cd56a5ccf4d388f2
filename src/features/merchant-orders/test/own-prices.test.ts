/** A discount and an own shipping price of an order that the merchant makes. */
import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import {
  address,
  Customer,
  contact,
  delivery,
  pesos,
  sessionIdOf,
  shownTotal,
} from '../../../../test/support/customer.js';
import { allOrders, theOrder } from '../../../../test/support/inspect.js';
import { isOffered } from '../../../../test/support/locales.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { LINE } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { orderTimeline } from '../../../admin/order/order-timeline.js';
import { i18nIn } from '../../../locales/i18n.js';
import { DEFAULT_TABLE } from '../../../shop/rules/default-table.js';
import { discountOf, discountOn } from '../../../shop/rules/discount.js';
import { FEES } from '../../../shop/rules/fees.js';
import type { Locale } from '../../../shop/rules/locale.js';
import { shippingOptions } from '../../../shop/rules/shipping.js';
import { taxTotals } from '../../../shop/rules/tax.js';
import { priceWanted } from '../place-merchant-order.js';
import { NEW, review } from './support.js';

const shop = await openSharedShop();
await addUser(shop, 'luis', 'fulfillment');

const percent = (value: string) => ({ discount_kind: 'percent', discount_value: value });
const amount = (value: string) => ({ discount_kind: 'amount', discount_value: value });
const shipped = { product_1: SHIPPED, ...address, shipping_option: delivery.id };
/** 3 products of $289.00 less 10 %, shipped for $50.00. */
const mixed = {
  ...shipped,
  quantity_1: '2',
  product_2: MUG,
  quantity_2: '1',
  ...percent('10 %'),
  shipping_price: '50',
};
const TOTAL = 867_00 - 86_70 + 50_00;
const IVA = taxTotals([
  { ...LINE, unitPrice: centavos(578_00 - 57_80) },
  { ...LINE, unitPrice: centavos(289_00 - 28_90) },
  { ...LINE, unitPrice: centavos(50_00), taxRate: FEES.shipping.taxRate },
]).tax;
const DISCOUNT = 'Descuento de la tienda';

const typedIn = (html: string, field: string) => new RegExp(`name="${field}"[^>]* value="([^"]*)"`).exec(html)?.[1];

/** Creates an order through both steps. */
async function create(fields: object) {
  const merchant = await openBackOffice(shop);
  const { confirmed } = await review(merchant, fields);
  const answer = await merchant.post(NEW, confirmed);
  if (resultOf(answer) !== 'order_created') throw new Error(`the form answered ${answer.status}`);
  return { merchant, order: await theOrder(shop) };
}

test.each([
  [percent(''), 'discount_value', 'entero de 1 a 100'],
  [percent('101'), 'discount_value', 'entero de 1 a 100'],
  [percent('7.5'), 'discount_value', 'entero de 1 a 100'],
  [amount('mucho'), 'discount_value', 'dos decimales'],
  [amount('0'), 'discount_value', 'dos decimales'],
  [amount('10,50'), 'discount_value', 'después de un punto'],
  [{ discount_kind: 'none', discount_value: '10' }, 'discount_kind', 'Elige el tipo'],
  [{ discount_kind: 'gratis', discount_value: '10' }, 'discount_kind', 'Elige el tipo'],
  [{ shipping_price: '-5' }, 'shipping_price', 'de 0 a'],
  [{ shipping_price: '1000000.01' }, 'shipping_price', 'de 0 a'],
  [{ shipping_price: '79,90' }, 'shipping_price', 'después de un punto'],
  [percent('100'), 'discount_value', 'menos de $1.00'],
  [amount('288.01'), 'discount_value', 'menos de $1.00'],
  [{ ...shipped, ...amount('288.01'), shipping_price: '0' }, 'discount_value', 'menos de $1.00'],
])('a form with %j creates nothing, names the field and shows what was typed', async (fields, name, message) => {
  const merchant = await openBackOffice(shop);

  const { page, confirmed } = await review(merchant, fields);
  const created = await merchant.post(NEW, { ...confirmed, seen: '99' });

  expect([page.status, created.status, await allOrders(shop)]).toEqual([422, 422, []]);
  const [, error = ''] = page.text.split(`id="${name}-error">`);
  expect([error.split('</p>')[0], page.text.includes(`href="#${name}"`)]).toEqual([
    expect.stringContaining(message),
    true,
  ]);
  for (const field of ['discount_value', 'shipping_price'] as const)
    expect(typedIn(page.text, field)).toBe(String({ discount_value: '', shipping_price: '', ...fields }[field]));
});

test('the chosen kind of discount stays chosen after an error', async () => {
  const { page } = await review(await openBackOffice(shop), { ...amount('mucho'), shipping_price: '80' });

  expect(page.text).toContain('<option value="amount" selected>');
  expect(typedIn(page.text, 'shipping_price')).toBe('80');
});

test('for any products, discount and shipping price the total is what products less discount and shipping cost', async () => {
  const price = fc.integer({ min: 0, max: 1_000_00 }).map(centavos);
  const discounts = fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 1, max: 5_000_00 }) }),
  );
  const pieces = fc.integer({ min: 1, max: 20 });
  const option = fc.option(price, { nil: undefined });
  const TIME = { shipping: DEFAULT_TABLE, at: 1 };
  const own = fc.record({ discount: fc.option(discounts, { nil: undefined }), shippingPrice: option });
  await fc.assert(
    fc.asyncProperty(pieces, pieces, own, async (mugs, parcels, { discount, shippingPrice }) => {
      const quantities = new Map([
        [MUG, mugs],
        [SHIPPED, parcels],
      ]);
      const wanted = { quantities, choice: { shippingOption: delivery.id }, deliveryState: 'OAX', postalCode: '68000' };
      const { priced, quote } = await priceWanted(shop.queries, { ...wanted, discount, shippingPrice }, TIME);
      const goods = centavos((mugs + parcels) * 289_00);
      const taken = discount ? discountOn(goods, discount) : 0;
      const options = shippingOptions(DEFAULT_TABLE, priced.lines, centavos(goods - taken), { state: 'OAX' });
      const shipping = shippingPrice ?? options.find(({ id }) => id === delivery.id)?.price ?? 0;
      expect([discountOf(priced.lines), priced.total]).toEqual([taken, goods - taken]);
      expect(quote?.total).toBe(goods - taken + shipping);
      expect(quote?.fees).toMatchObject([
        { productId: 'shipping', unitPrice: shipping, taxRate: FEES.shipping.taxRate },
      ]);
    }),
  );
});

test('the total step shows discount, shipping price, total and IVA, and an amount above the products takes off no more', async () => {
  const merchant = await openBackOffice(shop);

  const { page } = await review(merchant, mixed);
  const free = await review(merchant, { ...shipped, ...amount('$1,000.00'), shipping_price: '1' });
  const none = await review(merchant, { shipping_price: '0' });

  const [, summary = ''] = page.text.split('data-test="new-order-summary"');
  for (const shown of [DISCOUNT, '−$86.70', '$50.00', pesos(TOTAL), pesos(IVA)]) expect(summary).toContain(shown);
  expect(shownTotal(page.text)).toBe(TOTAL);
  expect(shownTotal(free.page.text)).toBe(1_00);
  expect(free.page.text).toContain('−$289.00');
  expect([shownTotal(none.page.text), none.page.text.includes(DISCOUNT)]).toEqual([289_00, false]);
});

test('free delivery is an own shipping price of 0, which is no order line', async () => {
  const { order } = await create({ ...shipped, shipping_price: '0' });

  const lines = await shop.queries.selectFrom('orderLines').select('productId').execute();
  expect([order.total, order.shippingOption, lines]).toEqual([289_00, delivery.id, [{ productId: SHIPPED }]]);
});

test('a discount that was changed after the total was shown creates nothing and shows the new total', async () => {
  const merchant = await openBackOffice(shop);
  const { confirmed } = await review(merchant, percent('10'));

  const answer = await merchant.post(NEW, { ...confirmed, ...percent('20') });

  expect([answer.status, shownTotal(answer.text), await allOrders(shop)]).toEqual([409, 231_20, []]);
});

test('an order with a percent off and an own shipping price is paid from its link, which shows both, as its mails and the back office', async () => {
  const { merchant, order } = await create(mixed);
  const path = `/admin/orders/${order.number}`;
  await merchant.post(`${path}/link`, { version: String(order.version) });
  // The mail is not sent once the order is paid.
  await receiveMails(shop);
  const payer = new Customer(shop);
  const link = await payer.get(`/orders/${order.token}/pay`);

  const opened = await payer.post(`/orders/${order.token}/pay/hosted`, { ...contact, last_name: 'Soto' });
  shop.clock.advance(5_000);
  shop.control.paySession(sessionIdOf(opened.headers['location']));
  await payer.get(`/checkout/return/${order.token}`);

  expect(order).toMatchObject({ total: TOTAL, discountCode: null, shippingOption: delivery.id });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: TOTAL });
  const lines = await shop.queries.selectFrom('orderLines').selectAll().orderBy('position').execute();
  expect(lines.map(({ productId, unitPrice, discount, taxRate }) => [productId, unitPrice, discount, taxRate])).toEqual(
    [
      [SHIPPED, 289_00, 57_80, '16'],
      [MUG, 289_00, 28_90, '16'],
      ['shipping', 50_00, 0, FEES.shipping.taxRate],
    ],
  );
  const [session] = shop.control.sessions();
  const sent = session?.request.line_items ?? [];
  expect(sent.every(({ quantity, unit_price: unitPrice }) => quantity > 0 && unitPrice > 0)).toBe(true);
  expect(sent.reduce((all, { quantity, unit_price: unitPrice }) => all + quantity * unitPrice, 0)).toBe(TOTAL);
  expect(session?.request.amount_total).toBe(TOTAL);
  const mails = await receiveMails(shop);
  for (const subject of ['listo para pagar', 'Recibo']) {
    const mail = mails.find((each) => each.subject.includes(subject));
    expect(mail?.text).toContain(`${DISCOUNT}: −$86.70`);
    for (const shown of [DISCOUNT, '−$86.70', '$50.00', pesos(TOTAL)]) expect(mail?.html).toContain(shown);
  }
  const page = (await merchant.get(path)).text;
  for (const html of [link.text, page])
    for (const shown of [DISCOUNT, '−$86.70', '$50.00', pesos(TOTAL)]) expect(html).toContain(shown);
  expect(page).toMatch(/Usuario: admin\.\s+Descuento: \$86\.70\.\s+Precio de envío propio: \$50\.00\./);
  const employee = (await (await openBackOffice(shop, 'luis')).get(path)).text;
  for (const hidden of ['86.70', '50.00', 'discount:', 'shippingPrice:']) expect(employee).not.toContain(hidden);
});

test.each(
  (
    [
      ['es-MX', ['Usuario: admin.', 'Descuento: $20.00.', 'Precio de envío propio: $0.00.']],
      ['en', ['User: admin.', 'Discount: $20.00.', 'Custom shipping price: $0.00.']],
    ] as const
  ).filter(isOffered),
)('the history names discount and own shipping price in %s', async (locale, texts) => {
  const { order } = await create({ ...shipped, ...amount('20'), shipping_price: '0' });
  const i18n = i18nIn(shop.context.web.settings.current().translations, locale as Locale);

  const [placed] = orderTimeline(i18n, await findHistory(shop.queries, order.id));

  expect(placed?.texts.map((text) => text.replace('MX$', '$'))).toEqual(texts);
});

test('the history names no own price that the order does not have', async () => {
  const { order } = await create({ shipping_price: '80' });

  const [placed] = await findHistory(shop.queries, order.id);

  expect([order.total, JSON.parse(placed?.detail ?? '')]).toEqual([289_00, { total: 289_00, by: 'admin' }]);
});
