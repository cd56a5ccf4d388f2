import { expect, test } from '@jest/globals';
import { cellsOf } from '../../../src/catalog/product-cells.js';
import { findStoredProduct } from '../../../src/db/product-changes.js';
import { openBackOffice } from '../../support/admin.js';
import { MUG } from '../../support/catalog.js';
import { Customer } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();
const merchant = await openBackOffice(shop);
const PATH = `/admin/products/${MUG}`;
const NEW = '/admin/products-new';

async function storedOf(id: string) {
  const stored = await findStoredProduct(shop.queries, id);
  if (!stored) throw new Error(`no product ${id}`);
  return stored;
}

/** Saves the page of a product with these changes. */
async function save(id: string, changes: object) {
  const { product, version } = await storedOf(id);
  const cells = cellsOf(product);
  return merchant.post(`/admin/products/${id}`, { ...cells, version, seen_stock: cells['stock'], ...changes });
}

/** Returns the names and values of the fields of a form. */
function valuesIn(html: string): Readonly<Record<string, string>> {
  const inputs = html.matchAll(/<input [^>]*name="(\w+)"[^>]*? value="([^"]*)"/g);
  const areas = html.matchAll(/<textarea [^>]*name="(\w+)"[^>]*>([^<]*)</g);
  return Object.fromEntries([...inputs, ...areas].map(([, name, value]) => [name, value]));
}

test('a manager makes a group from a product with a copied form, edits it, and its main product is only hidden', async () => {
  const without = await merchant.get(PATH);
  const refused = await merchant.post(NEW, { ...valuesIn((await merchant.get(`${NEW}?variant_of=${MUG}`)).text) });
  await save(MUG, { name_es_mx: 'Taza', variant_es_mx: 'azul', stock: '5' });
  const withText = await merchant.get(PATH);
  const copy = valuesIn((await merchant.get(`${NEW}?variant_of=${MUG}`)).text);
  const unnamed = await merchant.post(NEW, { ...copy, name_es_mx: MUG.replace('-', ' ') });
  const red = { ...copy, variant_es_mx: 'roja', price: '310', stock: '3', visible: 'yes' };
  const answers = await Promise.all([merchant.post(NEW, red), merchant.post(NEW, red)]);
  const page = await merchant.get(PATH);

  expect(without.text).not.toContain('admin-add-variant');
  expect(refused.text).toContain('id="variant_of-error"');
  expect(unnamed.text).toContain('Falta: Variante.');
  expect(withText.text).toContain(`href="${NEW}?variant_of=${MUG}"`);
  expect(copy).toMatchObject({
    id: '',
    stock: '0',
    price: '289.00',
    name_es_mx: 'Taza',
    variant_of: MUG,
    variant_es_mx: '',
  });
  for (const { headers } of answers) expect(headers['location']).toBe('/admin/products/taza-roja?result=created');
  const { product } = await storedOf('taza-roja');
  const { image } = (await storedOf(MUG)).product;
  expect(product).toMatchObject({ slug: 'taza-roja', variantOf: MUG, name: { 'es-MX': 'Taza, roja' }, image });
  expect(page.text).toContain('href="/admin/products/taza-roja"><bdi>Taza, roja</bdi>');
  const shown = await new Customer(shop).get('/?q=taza+roja');
  expect(shown.text).toContain('desde $289.00');

  const wrong = [
    await save(MUG, { variant_es_mx: '' }),
    await save(MUG, { variant_of: 'taza-roja' }),
    await save('taza-roja', { variant_of: 'nothing' }),
  ];
  const hidden = await merchant.post(`${PATH}/delete`, {});
  const alone = await save('taza-roja', { variant_of: '' });
  const deleted = await merchant.post(`${PATH}/delete`, {});

  expect(wrong.map(({ text }) => /id="(\w+)-error"/.exec(text)?.[1])).toEqual([
    'variant_es_mx',
    'variant_of',
    'variant_of',
  ]);
  expect(hidden.headers['location']).toBe(`${PATH}?result=hidden`);
  expect(alone.headers['location']).toBe('/admin/products/taza-roja?result=saved');
  expect(deleted.headers['location']).toBe('/admin/products?result=deleted');
});
