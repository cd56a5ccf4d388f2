import { expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { Customer, mugOrder } from '../../../../test/support/customer.js';
import { inEnglish } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { cellsOf } from '../../../catalog/product-cells.js';
import { exportProducts } from '../../../catalog/product-file.js';
import { findProductEvents, findStoredProduct } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);
const NEW = '/admin/products-new';

const form = {
  ...{ name_es_mx: 'Jabón de avena', description_es_mx: 'Suave.', category_es_mx: 'Jabones', image_alt_es_mx: 'Jabón' },
  ...inEnglish({ name_en: 'Oat soap', description_en: '', category_en: 'Soaps', image_alt_en: '' }),
  id: '',
  ...{ price: '1,045.50', price_before: '1,200', stock: '', tax_rate: '8', requires_shipping: 'no', visible: 'yes' },
  ...{ featured: 'yes', clave_prod_serv: '53131608', clave_unidad: 'h87' },
};

const productOf = async (id: string) => (await findStoredProduct(queries, id))?.product;

test('a new product is on sale with all its members, and the same form posted twice creates one', async () => {
  const list = await merchant.get('/admin/products');
  const page = await merchant.get(NEW);

  const answers = await Promise.all([merchant.post(NEW, form), merchant.post(NEW, form)]);

  expect(list.text).toContain(`href="${NEW}"`);
  const asked = Object.keys(form).filter((name) => !name.startsWith('image_alt'));
  for (const name of asked) expect(page.text).toContain(`name="${name}"`);
  for (const { headers } of answers) expect(headers['location']).toBe('/admin/products/jabon-de-avena?result=created');
  expect(await productOf('jabon-de-avena')).toMatchObject({
    ...{
      slug: 'jabon-de-avena',
      price: 104_550,
      priceBefore: 120_000,
      stock: null,
      taxRate: '8',
      requiresShipping: false,
      visible: true,
      featured: true,
    },
    ...{
      claveProdServ: '53131608',
      claveUnidad: 'H87',
      name: { 'es-MX': 'Jabón de avena', ...inEnglish({ en: 'Oat soap' }) },
    },
    category: { id: 'jabones', name: { 'es-MX': 'Jabones', ...inEnglish({ en: 'Soaps' }) } },
  });
  const [created, ...others] = await findProductEvents(queries, 'jabon-de-avena', 9);
  expect([created?.by, created?.kind, others]).toEqual(['admin', 'created', []]);
  const shown = await new Customer(shop).get('/products/jabon-de-avena');
  expect(shown.text).toContain('$1,045.50');
  expect(await exportProducts(queries)).toContain('\r\njabon-de-avena,jabon-de-avena,1045.50,1200.00,,,8,no,yes,yes,');
});

test('the form of a new product asks for few fields, takes a price with a peso sign, and names the next step', async () => {
  const { image_alt_es_mx: _, image_alt_en: __, ...few } = form;
  const page = await merchant.get(NEW);
  const empty = await merchant.post(NEW, { ...few, name_es_mx: '' });
  const answer = await merchant.post(NEW, { ...few, name_es_mx: 'Estropajo', price: '$ 1,045.50', visible: '' });
  const created = await merchant.get(answer.headers['location'] ?? '');

  expect(page.text).not.toMatch(/name="(image_alt|variant)/);
  expect(empty.text).toContain('Falta: Nombre.');
  expect(empty.text).not.toContain('href="#image_alt_es_mx"');
  expect(await productOf('estropajo')).toMatchObject({ price: 104_550, imageAlt: { 'es-MX': 'Estropajo' } });
  expect(created.text).toContain('Agrega su imagen y ponlo en venta.');
});

test('a new product that is shipped may have a weight, which its duplicate begins with', async () => {
  const shipped = { ...form, name_es_mx: 'Metate', requires_shipping: 'yes', weight_g: '12000' };

  const refused = await merchant.post(NEW, { ...shipped, weight_g: '12,000' });
  const created = await merchant.post(NEW, shipped);
  const copy = await merchant.get(`${NEW}?from=metate`);

  expect(refused.text).toContain('href="#weight_g"');
  expect(created.status).toBe(303);
  expect((await productOf('metate'))?.weight).toBe(12_000);
  expect(copy.text).toMatch(/name="weight_g"[^>]*value="12000"/);
});

test('another product with the same name needs its own id, and gets another slug', async () => {
  const soap = { ...form, name_es_mx: 'Jabón de rosas' };
  await merchant.post(NEW, soap);

  const refused = await merchant.post(NEW, { ...soap, price: '7' });
  const answer = await merchant.post(NEW, { ...soap, price: '7', id: 'SKU-7', visible: '' });

  expect(refused.status).toBe(422);
  expect(refused.text).toContain('id="id-error"');
  expect(refused.text).toContain('value="7"');
  expect(answer.headers['location']).toBe('/admin/products/SKU-7?result=created');
  expect(await productOf('SKU-7')).toMatchObject({ slug: 'jabon-de-rosas-2', price: 700, visible: false });
});

test('a form with problems creates nothing, and shows each error at its field beside all typed values', async () => {
  const wrong = {
    price: '0',
    stock: '1.5',
    name_es_mx: ' ',
    category_es_mx: '=1',
    tax_rate: '9',
    clave_prod_serv: '12',
  };

  const { status, text } = await merchant.post(NEW, { ...form, ...wrong, id: 'ñ', description_es_mx: '<b>' });

  expect(status).toBe(422);
  for (const name of [...Object.keys(wrong), 'id']) {
    expect(text).toContain(`id="${name}-error"`);
    expect(text).toContain(`href="#${name}"`);
  }
  for (const typed of ['value="1.5"', 'value="ñ"', '&lt;b&gt;</textarea>']) expect(text).toContain(typed);
  expect(text).toMatch(/value="yes" checked/);
  const { text: unnamed } = await merchant.post(NEW, { ...form, name_es_mx: '' });
  expect([unnamed.includes('id="name_es_mx-error"'), unnamed.includes('id="id-error"')]).toEqual([true, false]);
});

test('the page of a product edits every member, and leaves a column that the form does not have', async () => {
  const path = '/admin/products/taza-talavera';
  const stored = await findStoredProduct(queries, 'taza-talavera');
  if (!stored) throw new Error('no product');
  const { tax_rate: _, ...cells } = cellsOf(stored.product);
  const seen = { version: String(stored.version), seen_stock: cells['stock'] };

  const wrong = await merchant.post(path, { ...cells, ...seen, clave_prod_serv: 'x' });
  const saved = await merchant.post(path, { ...cells, ...seen, clave_prod_serv: '53131608', requires_shipping: 'yes' });

  expect(wrong.text).toContain('id="clave_prod_serv-error"');
  expect(saved.headers['location']).toBe(`${path}?result=saved`);
  const changes = { claveProdServ: '53131608', requiresShipping: true };
  expect(await productOf('taza-talavera')).toEqual({ ...stored.product, ...changes });
});

test('a product that no order contains is deleted with its history, and one of an order is hidden', async () => {
  await merchant.post(NEW, { ...form, id: 'vela', name_es_mx: 'Vela' });
  const visitor = await Customer.withCart(shop, { product_id: 'vela' });
  const buyer = await Customer.withCart(shop, { product_id: 'jarra-barro-negro' });
  await buyer.payHosted();

  const [deleted, ...edited] = await Promise.all([
    merchant.post('/admin/products/vela/delete', {}),
    merchant.post('/admin/products/vela', { ...form, id: 'vela', version: '1', seen_stock: '' }),
    merchant.post('/admin/products/vela/stock', { id: 'vela', version: '1', seen_stock: '', stock: '' }),
  ]);
  const again = await merchant.post('/admin/products/vela/delete', {});
  const hidden = await merchant.post('/admin/products/jarra-barro-negro/delete', {});

  expect(deleted.headers['location']).toBe('/admin/products?result=deleted');
  // Each edit comes before the deletion or after it. The edit of the stock may also come after the other edit.
  const statuses = edited.map(({ status }) => status).join(' ');
  expect(['303 303', '303 404', '303 409', '404 303', '404 404']).toContain(statuses);
  expect(again.status).toBe(404);
  expect(await productOf('vela')).toBeUndefined();
  expect(await findProductEvents(queries, 'vela', 9)).toEqual([]);
  expect((await visitor.get('/cart')).status).toBe(200);
  expect((await visitor.payHosted(mugOrder)).status).toBe(409);
  expect(hidden.headers['location']).toBe('/admin/products/jarra-barro-negro?result=hidden');
  expect((await productOf('jarra-barro-negro'))?.visible).toBe(false);
  expect((await merchant.get('/admin/products?result=deleted')).text).toContain('Eliminamos el producto');
});

test('only a manager creates and deletes products', async () => {
  await addUser(shop, 'luz', 'fulfillment');
  const luz = await openBackOffice(shop, 'luz');

  await merchant.post(NEW, { ...form, id: 'incienso', name_es_mx: 'Incienso' });
  const answers = [
    await luz.get(NEW),
    await luz.post(NEW, form),
    await luz.post('/admin/products/incienso/delete', {}),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  const pages = [await luz.get('/admin/products'), await luz.get('/admin/products/incienso')];
  for (const { text } of pages) expect(text).not.toMatch(/products-new|incienso\/delete/);
});

test('case 175: a product with a barcode as its id is created and edited', async () => {
  const id = '7501031311095';
  const path = `/admin/products/${id}`;
  const created = await merchant.post(NEW, { ...form, name_es_mx: 'Champú', id: ` ${id} ` });
  const version = String((await findStoredProduct(queries, id))?.version);
  const edited = await merchant.post(path, { ...form, id, name_es_mx: 'Champú', price: '99', version, seen_stock: '' });
  const page = await merchant.get(`${path}?result=saved`);
  const card = await merchant.post(NEW, { ...form, id: '4111111111111111' });

  expect(created.headers['location']).toBe(`${path}?result=created`);
  expect(edited.headers['location']).toBe(`${path}?result=saved`);
  expect(await productOf(id)).toMatchObject({ id, price: 9900 });
  expect(page.status).toBe(200);
  expect(card.status).toBe(422);
  expect(card.text).not.toContain('4111111111111111');
});

test('a price with its decimals after a comma is refused with what is wrong', async () => {
  const { text } = await merchant.post(NEW, { ...form, price: '1.250,00' });

  expect(text).toContain('Escribe los centavos después de un punto');
});

test('a duplicate begins with the values of its product, hidden and without id and stock, and is stored when it is posted', async () => {
  const before = (await findStoredProduct(queries, 'huipil-istmo'))?.product;
  const page = await merchant.get('/admin/products/huipil-istmo');
  const [, href = ''] = /href="([^"]+)" data-test="admin-duplicate"/.exec(page.text) ?? [];
  const { text } = await merchant.get(href);
  const unlimited = await merchant.get(`${NEW}?from=papel-picado`);
  const unknown = await merchant.get(`${NEW}?from=nothing`);

  const fieldIn = (name: string, html = text) => new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];
  const values = { name_es_mx: 'Huipil para niña', category_es_mx: fieldIn('category_es_mx'), price: fieldIn('price') };
  const answer = await merchant.post(NEW, {
    ...form,
    ...values,
    price_before: '',
    stock: fieldIn('stock'),
    visible: '',
  });

  expect(href).toBe(`${NEW}?from=huipil-istmo`);
  expect(['id', 'name_es_mx', 'price', 'stock'].map((name) => fieldIn(name))).toEqual([
    ...['', before?.name['es-MX'], '1480.00', '0'],
  ]);
  expect(text).toMatch(/<input id="visible"(?![^>]*checked)/);
  expect([fieldIn('stock', unlimited.text), unknown.status]).toEqual(['', 404]);
  expect(answer.headers['location']).toBe('/admin/products/huipil-para-nina?result=created');
  expect((await findStoredProduct(queries, 'huipil-istmo'))?.product).toEqual(before);
  expect(await productOf('huipil-para-nina')).toMatchObject({ stock: 0, visible: false, price: 148_000 });
});
