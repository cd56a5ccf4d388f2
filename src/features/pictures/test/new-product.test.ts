import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openBackOffice } from '../../../../test/support/admin.js';
import { hasFeature } from '../../../../test/support/features.js';
import { inEnglish } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findStoredProduct } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);
const NEW = '/admin/products-new';
/** Another feature has the form of new products. */
const testForm = hasFeature('product-editor') ? test : test.skip;

const photo = (background = '#c63') =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** Posts the form of a new product as a browser without JavaScript does. */
async function post(name: string, file: Buffer | string | undefined, fields: Readonly<Record<string, string>> = {}) {
  const form = { name_es_mx: name, category_es_mx: 'Jabones', description_es_mx: '', price: '45', stock: '', id: '' };
  const request = merchant.agent.post(NEW).redirects(0);
  const all = { ...form, ...inEnglish({ name_en: `${name} EN` }), tax_rate: '16', requires_shipping: 'yes', ...fields };
  for (const [field, value] of Object.entries(all)) request.field(field, value);
  return file === undefined ? request : request.attach('file', Buffer.from(file), 'foto.jpg');
}

const productOf = async (id: string) => (await findStoredProduct(queries, id))?.product;

testForm(
  'a new product has its photo as first picture, described by its name, and the page of its pictures says that it is hidden',
  async () => {
    const form = await merchant.get(NEW);
    const { headers } = await post('Jabón de rosas', await photo());
    const page = await merchant.get(headers['location'] ?? '');

    expect(form.text).toMatch(/<form class="card" method="post" enctype="multipart\/form-data"/);
    expect(headers['location']).toBe('/admin/products/jabon-de-rosas/pictures?result=created');
    const { image, imageAlt, visible } = (await productOf('jabon-de-rosas')) ?? {};
    expect(image).toMatch(/^\/pictures\/[\da-f]{64}$/);
    expect(imageAlt).toEqual({ 'es-MX': 'Jabón de rosas', ...inEnglish({ en: 'Jabón de rosas EN' }) });
    expect(visible).toBe(false);
    for (const text of ['Creamos el producto.', 'todavía está oculto', `src="${image}"`])
      expect(page.text).toContain(text);
  },
);

testForm('a form that is posted again creates one product, whose picture stays', async () => {
  const file = await photo();

  const answers = await Promise.all([post('Jabón doble', file), post('Jabón doble', file)]);

  const before = await productOf('jabon-doble');
  const late = await post('Jabón doble', await photo('#36c'));

  const path = '/admin/products/jabon-doble/pictures?result=created';
  expect([...answers, late].map(({ headers }) => headers['location'])).toEqual([path, path, path]);
  expect(await productOf('jabon-doble')).toEqual(before);
  const further = queries.selectFrom('productPictures').selectAll().where('productId', '=', 'jabon-doble');
  expect(await further.execute()).toEqual([]);
});

testForm.each([
  ['that is no picture', 'no picture', 'no es una imagen'],
  ['without bytes', '', 'está vacío'],
  ['above 20 MB', Buffer.alloc(20 * 1024 * 1024 + 1), 'pesa más de 20 MB'],
])(
  'with a photo %s the product is stored, and the photo is refused at the page of its pictures',
  async (what, file, problem) => {
    const { headers } = await post(`Jabón ${what}`, file, { description_es_mx: 'x'.repeat(4_000) });
    const [, id = ''] = /products\/([\w-]+)\/pictures\?answer=1$/.exec(headers['location'] ?? '') ?? [];
    const page = await merchant.get(headers['location'] ?? '');

    expect(await productOf(id)).toMatchObject({ price: 4500, visible: false, image: '/no-picture.svg' });
    expect(page.status).toBe(422);
    expect(page.text).toMatch(new RegExp(`id="file_0-error">.*${problem}`));
    expect(page.text).toContain('Creamos el producto.');
  },
);

testForm(
  'with a wrong price nothing is stored, every typed value stays, and the form asks for the photo again',
  async () => {
    const { headers } = await post('Jabón caro', await photo(), { price: 'gratis', visible: 'yes' });
    const { status, text } = await merchant.get(headers['location'] ?? '');

    expect([status, await productOf('jabon-caro')]).toEqual([422, undefined]);
    for (const part of ['value="Jabón caro"', 'value="gratis"', 'id="price-error"', 'Elige otra vez las imágenes'])
      expect(text).toContain(part);
    expect(text).toMatch(/id="visible"[^>]* checked/);
    expect((await merchant.get(NEW)).text).not.toContain('Elige otra vez');
  },
);

testForm('without a photo the product is created as before, and a card number in its form is refused', async () => {
  const { headers } = await post('Jabón sin foto', undefined);
  const card = await post('Jabón 4242 4242 4242 4242', await photo());

  expect(headers['location']).toBe('/admin/products/jabon-sin-foto?result=created');
  expect(card.status).toBe(422);
});
