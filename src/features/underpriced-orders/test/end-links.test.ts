/** Unpaid orders with a price that was raised since. */
import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { DAY, orderStates } from '../../../../test/checkout/support.js';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { SHIPPED, testProducts } from '../../../../test/support/catalog.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { CARDS, openHostedPage, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { readForm } from '../../../../test/support/read-form.js';
import { LINE, orderRow, UNHURRIED } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { importVariants, ROWS } from '../../../../test/support/variants.js';
import { cellsOf } from '../../../catalog/product-cells.js';
import { insertOrder } from '../../../tables/orders.js';
import { findStoredProduct, writeProducts } from '../../../tables/product-changes.js';

const shop = await openSharedShop();
const [MUG] = testProducts();
const PATH = `/admin/products/${MUG.id}`;
const OFFER = 'data-test="admin-end-links"';

async function openMerchant() {
  await writeProducts(shop.queries, [{ product: MUG, position: 1 }], 1);
  return openBackOffice(shop);
}

/** Saves a price in the form of the product, and returns its page. */
async function raise(merchant: Customer, price: string): Promise<string> {
  const stored = await findStoredProduct(shop.queries, MUG.id);
  if (!stored) throw new Error('no product');
  const cells = cellsOf(stored.product);
  const fields = { ...cells, version: String(stored.version), seen_stock: cells['stock'], price };
  const answer = await merchant.post(PATH, fields);
  return (await merchant.get(answer.headers['location'] ?? '')).text;
}

async function openUnpaidOrders(): Promise<void> {
  await payAndReturn(shop, await openHostedPage(shop));
  await openHostedPage(shop);
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
}

test('a price that is raised by one centavo offers to end the links of unpaid orders, and a lower one does not', async () => {
  const merchant = await openMerchant();
  await openUnpaidOrders();

  const lower = await raise(merchant, '288.99');
  const higher = await raise(merchant, '289.01');

  expect(lower).not.toContain(OFFER);
  expect(higher).toContain('2 pedidos sin pagar tienen este producto');
  expect(higher).toContain(OFFER);
});

test('a price that is raised in the list of products names its unpaid orders, and leads to the page that ends their links', async () => {
  const merchant = await openMerchant();
  await openUnpaidOrders();
  const { text: list } = await merchant.get('/admin/products');
  const form = readForm(list.slice(list.indexOf('<form method="post" action="/admin/products"')), '/admin/products');

  const raised = { ...form, [`price:${MUG.id}`]: '290', [`price:${SHIPPED}`]: '290' };
  const answer = await merchant.post('/admin/products', raised);
  const { text } = await merchant.get(answer.headers['location'] ?? '');

  expect(text).toMatch(new RegExp(`<a href="${PATH}"><bdi>[^<]+</bdi></a>: 2 pedidos sin pagar`));
  expect(text.match(/sin pagar tiene/g)).toHaveLength(1);
});

test('the manager ends the links of unpaid orders with the former price, and the history of each names the user', async () => {
  const merchant = await openMerchant();
  await openUnpaidOrders();
  await raise(merchant, '2,890.00');
  await openHostedPage(shop);

  const answer = await merchant.post(`${PATH}/end-links`, {});
  const page = await merchant.get(answer.headers['location'] ?? '');

  expect(page.text).toContain('Se terminaron 2 enlaces de pago.');
  expect(page.text).not.toContain('Se omit');
  expect(page.text).not.toContain(OFFER);
  expect(await orderStates(shop)).toEqual(['paid', 'cancelled', 'cancelled', 'pending']);
  const ended = (await allOrders(shop)).filter(({ state }) => state === 'cancelled');
  for (const { id } of ended)
    expect((await findHistory(shop.queries, id)).at(-1)).toMatchObject({
      kind: 'order_cancelled',
      detail: '{"by":"admin","cancelReason":"price_or_stock"}',
    });
});

test('an order whose answer is awaited is skipped and counted', async () => {
  const merchant = await openMerchant();
  await openUnpaidOrders();
  await raise(merchant, '2,890.00');
  await shop.queries.updateTable('attempts').set({ state: 'creating' }).where('state', '=', 'open').execute();

  const answer = await merchant.post(`${PATH}/end-links`, {});
  const page = await merchant.get(answer.headers['location'] ?? '');

  expect(page.text).toContain('Se terminó 1 enlace de pago. Se omitió 1 pedido');
  expect(page.text).toContain('1 pedido sin pagar tiene este producto');
  expect(await orderStates(shop)).toEqual(['paid', 'pending', 'cancelled']);
});

test('one request ends at most 500 links', async () => {
  const merchant = await openMerchant();
  const at = shop.clock.now();
  await shop.checkout.db.transaction(async (queries) => {
    for (const number of numbers(501)) {
      const order = orderRow({ number: `TG-${number}`, createdAt: at, payableUntil: at + DAY });
      await insertOrder(queries, order, [{ ...LINE, productId: MUG.id }]);
    }
  }, UNHURRIED);

  const page = await merchant.get(PATH);
  const answer = await merchant.post(`${PATH}/end-links`, {});

  expect(page.text).toContain('Más de 500 pedidos sin pagar');
  expect(answer.headers['location']).toBe(`${PATH}?ended=500&skipped=0`);
});

test('only a manager sees the offer and ends links', async () => {
  const merchant = await openMerchant();
  await openUnpaidOrders();
  await raise(merchant, '2,890.00');
  await addUser(shop, 'luz', 'fulfillment');
  const luz = await openBackOffice(shop, 'luz');

  const page = await luz.get(PATH);
  const refused = await luz.post(`${PATH}/end-links`, {});

  expect(page.text).not.toContain(OFFER);
  expect([refused.status, await orderStates(shop)]).toEqual([403, ['paid', 'pending', 'declined']]);
});

test('the page of a group names the variant whose price was raised', async () => {
  const merchant = await openMerchant();
  const rows = ROWS.map((row) => ({ ...row, stock: '5' }));
  await importVariants(shop, rows);
  await (await Customer.withCart(shop, { product_id: 'playera-azul' })).payHosted();
  await importVariants(
    shop,
    rows.map((row) => (row.id === 'playera-azul' ? { ...row, price: '290' } : row)),
  );

  const { text } = await merchant.get('/admin/products/playera-roja');

  expect(text).toMatch(/Pedidos con un precio menor: <bdi>Playera, azul<\/bdi>/);
  expect(text).toContain(`action="/admin/products/playera-azul/end-links"`);
});
