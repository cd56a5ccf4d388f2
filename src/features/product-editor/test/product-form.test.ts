/** The form of all members of a product. */
import { beforeEach, expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { inEnglish } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findProductEvents } from '../../../tables/product-changes.js';
import { editedProduct, MUG, PATH } from '../../products/test/edited-product.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);
const { restore, stored, fields } = editedProduct(shop);

beforeEach(restore);

test('a saved product has its new values in the shop, the change is in its history, and the same form changes nothing', async () => {
  const changes = {
    ...{ price: '1,099.50', stock: '7', description_es_mx: 'Dos\r\nlíneas' },
    ...inEnglish({ name_en: 'Mug' }),
  };
  const before = await stored();

  const answer = await merchant.post(PATH, await fields(changes));
  const same = await merchant.post(PATH, await fields());

  expect(answer.headers['location']).toBe(`${PATH}?result=saved`);
  expect(same.headers['location']).toBe(`${PATH}?result=unchanged`);
  const { product, version } = await stored();
  expect(product).toEqual({
    ...MUG,
    ...{ price: 109_950, stock: 7, name: { ...MUG.name, ...inEnglish({ en: 'Mug' }) } },
    description: { ...MUG.description, 'es-MX': 'Dos\nlíneas' },
  });
  expect(version).toBe(before.version + 1);
  const [event] = await findProductEvents(queries, 'taza-talavera', 1);
  expect(event).toMatchObject({ by: 'admin', kind: 'changed', detail: { price: ['289.00', '1099.50'] } });
});

test('invalid fields are refused with an error at each field and the typed values', async () => {
  const before = await stored();
  const wrong = { price: '1.099,00', stock: '-1', name_es_mx: '', category_es_mx: '=1' };

  const { status, text } = await merchant.post(PATH, await fields({ ...wrong, description_es_mx: '<b>' }));

  expect(status).toBe(422);
  for (const name of Object.keys(wrong)) {
    expect(text).toContain(`id="${name}-error"`);
    expect(text).toContain(`href="#${name}"`);
  }
  expect(text).not.toContain('id="description_es_mx-error"');
  for (const typed of ['1.099,00', '-1', '=1']) expect(text).toContain(`value="${typed}"`);
  expect(text).toContain('&lt;b&gt;</textarea>');
  expect(await stored()).toEqual(before);
});

test('a product that is shipped has a weight field, and a wrong weight is refused there also when it is not shipped any more', async () => {
  const hidden = await merchant.get(PATH);
  const shipped = await merchant.post(PATH, await fields({ requires_shipping: 'yes' }));
  const empty = await merchant.get(PATH);
  const wrong = await merchant.post(PATH, await fields({ requires_shipping: 'no', weight_g: '1.5 kg' }));
  const saved = await merchant.post(PATH, await fields({ weight_g: '350' }));
  const { text } = await merchant.get(PATH);

  expect(hidden.text).not.toContain('name="weight_g"');
  expect(empty.text).toContain('Peso en gramos');
  expect([shipped.status, wrong.status, saved.status]).toEqual([303, 422, 303]);
  expect(wrong.text).toMatch(/id="weight_g-error"[\s\S]*name="weight_g"[^>]*value="1\.5 kg"/);
  expect((await stored()).product).toEqual({ ...MUG, requiresShipping: true, weight: 350 });
  const history = text.slice(text.indexOf('data-test="admin-history"')).replace(/<[^>]+>/g, '');
  expect(history).toContain('Peso en gramos: — → 350');
});
