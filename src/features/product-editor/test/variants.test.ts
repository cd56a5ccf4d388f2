import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { MUG } from '../../../../test/support/catalog.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { inEnglish } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importVariants, ROWS } from '../../../../test/support/variants.js';
import { findProductEvents, findStoredProduct } from '../../../tables/product-changes.js';
import { takeStock } from '../../../tables/stock.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);

type Values = Readonly<Record<string, string>>;

let groups = 0;

/** Imports a group of its own for a test: red, blue and green, with five pieces each. */
async function addGroup() {
  groups += 1;
  const id = (color: string) => color.replace('playera', `playera-${groups}`);
  const own = { stock: '5', category_es_mx: 'Ropa' };
  const rows = ROWS.map((row) => ({ ...row, ...own, id: id(row.id), variant_of: id(row.variant_of) }));
  await importVariants(shop, rows);
  const ids = rows.map((row) => row.id);
  const [red = '', blue = '', green = ''] = ids;
  const paths = { red: pathOf(red), blue: pathOf(blue), green: pathOf(green) };
  const stocks = () => Promise.all(ids.map(async (each) => (await productOf(each)).stock));
  return { rows, red, blue, green, paths, stocks };
}

const pathOf = (id: string) => `/admin/products/${id}`;

async function productOf(id: string) {
  const stored = await findStoredProduct(queries, id);
  if (!stored) throw new Error(`no product ${id}`);
  return stored.product;
}

/** Returns the fields of the form of a product, as a browser posts them. */
function valuesIn(html: string): Values {
  const [form = ''] = /<form class="card"[\s\S]*?<\/form>/.exec(html) ?? [];
  const boxes = [...form.matchAll(/<input id="[\w-]+" name="([\w-]+)" type="checkbox" value="yes" checked>/g)];
  const inputs = form.matchAll(/<input (?![^>]*type="checkbox")[^>]*name="([\w-]+)"[^>]*? value="([^"]*)"/g);
  const areas = form.matchAll(/<textarea [^>]*name="([\w-]+)"[^>]*>([^<]*)</g);
  const choices = form.matchAll(/<select [^>]*name="([\w-]+)"[^>]*>[\s\S]*?value="([^"]*)" selected/g);
  const texts = [...inputs, ...areas, ...choices].map(([, name, value]) => [name, value]);
  return Object.fromEntries([...texts, ...boxes.map(([, name]) => [name, 'yes'])]);
}

const open = async (path: string) => valuesIn((await merchant.get(path)).text);

const errorsIn = (html: string) => [...html.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, field]) => field);

test('a product gets its first variant in its own form, with the texts and the picture of the product', async () => {
  const path = `/admin/products/${MUG}`;
  const form = { ...(await open(path)), name_es_mx: 'Taza', stock: '5' };
  const added = { 'variant_es_mx-new': 'roja', 'stock-new': '3' };

  const unnamed = await merchant.post(path, { ...form, ...added });
  const complete = { ...form, variant_es_mx: 'azul', ...added };
  const answers = await Promise.all([merchant.post(path, complete), merchant.post(path, complete)]);

  expect(errorsIn(unnamed.text)).toEqual(['variant_es_mx']);
  expect(unnamed.text).toContain('value="roja"');
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const { name: _, description, image, price, category } = await productOf(MUG);
  expect(await productOf(`${MUG}-roja`)).toMatchObject({
    ...{ slug: 'taza-roja', variantOf: MUG, description, image, price, category, stock: 3, visible: true },
    name: { 'es-MX': 'Taza, roja' },
  });
  const [created, ...others] = await findProductEvents(queries, `${MUG}-roja`, 9);
  expect([created?.kind, created?.by, others]).toEqual(['created', 'admin', []]);
  const shown = await new Customer(shop).get('/?q=taza+roja');
  expect(shown.text).toContain('>Taza<');
});

test('one form changes each variant and the common texts, and each history has what changed of its product', async () => {
  const { red, blue, green, paths } = await addGroup();
  const form = await open(paths.green);
  const changes = {
    ...{ description_es_mx: 'De lino', price: '260', 'stock-2': '9', 'variant_es_mx-3': 'verde agua' },
    ...{ 'variant_es_mx-new': 'negra', 'price-new': '$ 300', 'stock-new': '2', 'id-new': '7501031311095' },
  };

  const answer = await merchant.post(paths.green, { ...form, ...changes });
  const same = await merchant.post(paths.red, await open(paths.red));

  expect(answer.headers['location']).toBe(`${paths.green}?result=saved`);
  expect(same.headers['location']).toBe(`${paths.red}?result=unchanged`);
  const ids = [red, blue, green, '7501031311095'];
  const products = await Promise.all(ids.map(productOf));
  expect(products.map(({ description }) => description['es-MX'])).toEqual(ids.map(() => 'De lino'));
  expect(products.map(({ price }) => price)).toEqual([26_000, 28_000, 25_000, 30_000]);
  expect(products.map(({ stock }) => stock)).toEqual([5, 9, 5, 2]);
  expect(products.map(({ variant }) => variant?.label['es-MX'])).toEqual(['roja', 'azul', 'verde agua', 'negra']);
  const events = await Promise.all(ids.map((id) => findProductEvents(queries, id, 1)));
  const description_es_mx = ['De algodón', 'De lino'];
  expect(events.flat().map(({ detail }) => detail)).toEqual([
    { description_es_mx, price: ['250.00', '260.00'] },
    { description_es_mx, stock: ['5', '9'] },
    { description_es_mx, variant_es_mx: ['verde', 'verde agua'] },
    {},
  ]);
});

test('the attribute that the merchant chooses is in each variant, and in its history', async () => {
  const { red, blue, green, paths } = await addGroup();
  const form = await open(paths.green);

  const answer = await merchant.post(paths.green, { ...form, variant_attribute: 'color' });
  const refused = await merchant.post(paths.green, { ...(await open(paths.green)), variant_attribute: 'sabor' });

  expect([form['variant_attribute'], answer.headers['location']]).toEqual(['', `${paths.green}?result=saved`]);
  const attributes = [red, blue, green].map(async (id) => (await productOf(id)).variantAttribute);
  expect(await Promise.all(attributes)).toEqual(['color', 'color', 'color']);
  expect((await open(paths.red))['variant_attribute']).toBe('color');
  expect((await merchant.get(paths.blue)).text).toMatch(/En qué difieren las variantes[\s\S]*—[\s\S]*Color/);
  expect(errorsIn(refused.text)).toContain('variant_attribute');
});

test('the variants of a product that is shipped have weights of their own, and a new one without a weight has that of the main product', async () => {
  const { rows, red, blue, green, paths } = await addGroup();
  await importVariants(
    shop,
    rows.map((row) => ({ ...row, requires_shipping: 'yes' })),
  );
  const weights = { weight_g: '200', 'weight_g-2': '180' };
  const added = { 'variant_es_mx-new': 'negra', 'stock-new': '2', 'id-new': `${red}-negra` };

  const saved = await merchant.post(paths.red, { ...(await open(paths.red)), ...weights, ...added });

  expect(saved.headers['location']).toBe(`${paths.red}?result=saved`);
  const products = await Promise.all([red, blue, green, `${red}-negra`].map(productOf));
  expect(products.map(({ weight }) => weight)).toEqual([200, 180, null, 200]);
});

test('a common text that was not changed stays different where an import made it so', async () => {
  const { rows, green, paths } = await addGroup();
  await importVariants(shop, [{ ...rows[2], category_es_mx: 'Ofertas' }]);

  await merchant.post(paths.red, { ...(await open(paths.red)), price: '260' });
  const kept = await productOf(green);
  await merchant.post(paths.red, { ...(await open(paths.red)), category_es_mx: 'Playa' });

  expect([kept, await productOf(green)].map(({ category }) => category.id)).toEqual(['ofertas', 'playa']);
});

test('a refused cell has its error at its row, nothing is saved, and every typed value is in its field', async () => {
  const { red, green, paths } = await addGroup();
  const typed = {
    ...{ name_es_mx: 'Blusa', 'price-2': '1.5,0', 'variant_es_mx-3': '', 'stock-3': '7', price: '1' },
    ...{ 'variant_es_mx-new': 'negra', 'stock-new': '-1' },
  };

  const { status, text } = await merchant.post(paths.red, { ...(await open(paths.red)), ...typed });

  expect([status, errorsIn(text)]).toEqual([422, ['price-2', 'stock-new']]);
  expect(text).toMatch(/href="#price-2">azul: /);
  expect(valuesIn(text)).toMatchObject(typed);
  expect((await productOf(red)).price).toBe(25_000);
  const again = await merchant.post(paths.red, { ...valuesIn(text), 'price-2': '280', 'stock-new': '1' });
  expect(errorsIn(again.text)).toEqual(['variant_es_mx-3']);
  const saved = await merchant.post(paths.red, { ...valuesIn(again.text), 'variant_es_mx-3': 'lima' });
  expect(saved.headers['location']).toBe(`${paths.red}?result=saved`);
  expect(await productOf(green)).toMatchObject({ name: { 'es-MX': 'Blusa, lima' }, stock: 7 });
});

test('of two managers who save one group, the second sees the own values and saves them again', async () => {
  const { blue, paths } = await addGroup();
  const [first, second] = [await open(paths.red), await open(paths.red)];

  const answers = await Promise.all([
    merchant.post(paths.red, { ...first, 'price-2': '310' }),
    merchant.post(paths.red, { ...second, 'price-2': '320', description_es_mx: 'Suave' }),
  ]);

  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, 409]);
  const refused = answers[statuses.indexOf(409)]?.text ?? '';
  const typed = valuesIn(refused);
  expect(typed).toMatchObject(statuses[0] === 409 ? { 'price-2': '310' } : { description_es_mx: 'Suave' });
  const saved = await merchant.post(paths.red, { ...typed, 'price-2': '330' });
  expect([saved.status, (await productOf(blue)).price]).toEqual([303, 33_000]);
});

test('a sale while the form is open stays unless the stock of its variant is edited, which is refused', async () => {
  const { blue, paths, stocks } = await addGroup();
  const form = await open(paths.red);
  await takeStock(queries, [{ productId: blue, quantity: 1 }], 2);

  const other = await merchant.post(paths.red, { ...form, price: '260', 'stock-3': '8' });
  const sold = await merchant.post(paths.red, { ...(await open(paths.red)), 'seen_stock-2': '5', 'stock-2': '9' });

  expect([other.status, sold.status, await stocks()]).toEqual([303, 409, [5, 4, 8]]);
  expect(valuesIn(sold.text)).toMatchObject({ 'stock-2': '9', 'seen_stock-2': '4' });
});

test('an unusual stock of a variant is saved after its own confirmation', async () => {
  const { paths, stocks } = await addGroup();
  const typed = { ...(await open(paths.red)), 'stock-2': '500', 'stock-3': '600' };

  const asked = await merchant.post(paths.red, typed);
  const half = await merchant.post(paths.red, { ...typed, 'confirmed_stock-2': '500' });
  const before = await stocks();
  const saved = await merchant.post(paths.red, { ...typed, 'confirmed_stock-2': '500', 'confirmed_stock-3': '600' });

  expect([errorsIn(asked.text), errorsIn(half.text)]).toEqual([['stock-2', 'stock-3'], ['stock-3']]);
  expect(asked.text).toContain('name="confirmed_stock-2" type="checkbox" value="500"');
  expect([before, saved.status, await stocks()]).toEqual([[5, 5, 5], 303, [5, 500, 600]]);
});

test('a form of 21 variants with long texts is saved, and the page of a variant has those beside it', async () => {
  const { rows, blue, paths } = await addGroup();
  const variants = numbers(44).map((number) => ({
    ...{ ...rows[1], id: `${blue}-${'x'.repeat(40)}-${number}`, variant_es_mx: `${'t'.repeat(55)} ${number}` },
    ...inEnglish({ variant_en: `${'t'.repeat(55)} ${number}`, name_en: 'Shirt' }),
  }));
  await importVariants(shop, [...rows.slice(0, 1), ...variants]);
  const last = `/admin/products/${variants[43]?.id}`;
  const page = await merchant.get(last);

  const first = await open(paths.red);
  const description = `Á${'texto '.repeat(660)}`;
  const saved = await merchant.post(paths.red, {
    ...first,
    ...{ 'stock-21': '6', description_es_mx: description, ...inEnglish({ description_en: description }) },
  });

  expect(page.text).toContain('Aquí están 7 de 47 variantes');
  expect(valuesIn(page.text)).toMatchObject({ 'id-7': variants[43]?.id });
  expect([first['id-21'], first['id-22']]).toEqual([variants[17]?.id, undefined]);
  expect(saved.headers['location']).toBe(`${paths.red}?result=saved`);
  expect((await productOf(variants[17]?.id ?? '')).stock).toBe(6);
  expect((await productOf(variants[43]?.id ?? '')).description['es-MX']).toBe(description.trim());
});

test('a variant leaves its group at its own page, and a main product of variants is only hidden', async () => {
  const { red, green, paths } = await addGroup();
  const hidden = await merchant.post(`${paths.red}/delete`, {});
  const wrong = await merchant.post(paths.green, { ...(await open(paths.green)), 'variant_of-3': 'nothing' });
  const alone = await merchant.post(paths.green, { ...(await open(paths.green)), 'variant_of-3': '' });
  const joined = await merchant.post(paths.green, { ...(await open(paths.green)), variant_of: red });

  expect(hidden.headers['location']).toBe(`${paths.red}?result=hidden`);
  expect(errorsIn(wrong.text)).toEqual(['variant_of-3']);
  for (const { headers } of [alone, joined]) expect(headers['location']).toBe(`${paths.green}?result=saved`);
  expect((await productOf(green)).variantOf).toBe(red);
});

test('a form that was opened before its product joined or left a group changes no other product', async () => {
  const { red, green, paths } = await addGroup();
  const ofVariant = await open(paths.green);
  await merchant.post(paths.green, { ...ofVariant, 'variant_of-3': '' });
  const alone = await open(paths.green);

  const left = await merchant.post(paths.green, { ...ofVariant, price: '1', version: alone['version'] });
  await merchant.post(paths.green, { ...alone, variant_of: red });
  const { version = '' } = await open(paths.red);
  const joined = await merchant.post(paths.green, { ...alone, price: '2', version });

  expect([left.status, joined.status]).toEqual([409, 409]);
  expect([(await productOf(red)).price, (await productOf(green)).price]).toEqual([25_000, 25_000]);
});
