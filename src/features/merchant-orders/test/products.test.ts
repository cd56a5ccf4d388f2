/** How the merchant finds and chooses the products of an order, without JavaScript. */
import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { MUG, testProducts } from '../../../../test/support/catalog.js';
import type { Customer } from '../../../../test/support/customer.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { MAX_LINES } from '../../../shop/rules/cart.js';
import { writeProducts } from '../../../tables/product-changes.js';
import { form, NEW, valueIn } from './support.js';

const shop = await openSharedShop();

/** Posts the empty form with these fields, and returns the page that answers. */
async function post(merchant: Customer, fields: object): Promise<string> {
  const form_key = valueIn((await merchant.get(NEW)).text, 'form_key');
  return (await merchant.post(NEW, { ...form, product_1: '', email: 'eva', form_key, ...fields })).text;
}

const found = (html: string) => html.split('data-test="new-order-found"')[1]?.split('</ul>')[0] ?? '';
const chosen = (html: string) => html.split('data-test="new-order-rows"')[1] ?? '';

test('a part of the name finds a product with its price, and the other fields stay as typed', async () => {
  const page = await post(await openBackOffice(shop), { step: 'search', product_search: 'talav' });

  expect(found(page)).toContain(`name="product_add" value="${MUG}"`);
  expect(found(page)).toContain('$289.00');
  expect([page.includes('value="eva"'), page.includes('-error"')]).toEqual([true, false]);
});

test('a search that finds nothing says so', async () => {
  const page = await post(await openBackOffice(shop), { step: 'search', product_search: 'zzzz' });

  expect(page).toContain('«zzzz»');
});

test('each size of a group is found and added by itself', async () => {
  const [product] = testProducts();
  const size = (label: string) => ({
    ...product,
    id: `playera-${label}`,
    slug: `playera-${label}`,
    name: { 'es-MX': `Playera, ${label}` },
    variantOf: label === 'M' ? null : 'playera-M',
    variant: { groupName: { 'es-MX': 'Playera' }, option: { 'es-MX': 'Talla' }, label: { 'es-MX': label } },
  });
  await writeProducts(
    shop.queries,
    ['M', 'L'].map((label, index) => ({ product: size(label), position: 900 + index })),
    1,
  );
  const merchant = await openBackOffice(shop);

  const page = await post(merchant, { step: 'search', product_search: 'playera' });
  const added = await post(merchant, { product_add: 'playera-L', product_search: 'playera' });

  for (const label of ['M', 'L']) expect(found(page)).toContain(`value="playera-${label}"`);
  expect([valueIn(added, 'product_1'), chosen(added).includes('Playera, L')]).toEqual(['playera-L', true]);
});

test('adding a product again raises its quantity, and removing it leaves none', async () => {
  const merchant = await openBackOffice(shop);

  const added = await post(merchant, { product_1: MUG, quantity_1: '2', product_add: MUG });
  const removed = await post(merchant, { product_1: MUG, product_remove: '1' });

  expect(added).toMatch(/name="quantity_1"[^>]* value="3"/);
  expect([chosen(removed), removed.includes('value="eva"')]).toEqual(['', true]);
});

test('a product above the limit of a cart is refused at the search', async () => {
  const rows = Object.fromEntries(
    Array.from({ length: MAX_LINES }, (_, index) => [`product_${index + 1}`, `p${index}`]),
  );

  const page = await post(await openBackOffice(shop), { ...rows, product_add: MUG });

  expect(page).toContain('id="product_search-error"');
});
