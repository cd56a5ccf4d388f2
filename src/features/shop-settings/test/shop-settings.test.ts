/** The pages of the settings, as a merchant uses them. */
import { EventEmitter, once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Response } from 'supertest';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { changeCheckout } from '../../../../test/support/change-checkout.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { brand } from '../../../locales/brand.js';
import type { StoredSettings } from '../../../shop/rules/shop-settings.js';
import { inUploadTurn } from '../../uploads/upload-turns.js';

const shop = await openSharedShop();
let merchant: Customer;
const stored = () => Object.fromEntries(shop.checkout.settings.current().storedSettings);

beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

/** Returns the fields of a group as its page shows them. */
async function fieldsOf(group: string): Promise<Record<string, string>> {
  const { text } = await merchant.get(`/admin/shop/${group}`);
  const inputs = [...text.matchAll(/<input (?![^>]*type="(?:file|color)")[^>]*name="([^"]+)"[^>]*? value="([^"]*)"/g)];
  const areas = [...text.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)</g)];
  return Object.fromEntries([...inputs, ...areas].map(([, name = '', value = '']) => [name, value]));
}

/** Posts a group with these fields in place of the shown ones, and returns the page that answers. */
async function save(group: string, changed: Readonly<Record<string, string>>) {
  return answerOf(await merchant.post(`/admin/shop/${group}`, { ...(await fieldsOf(group)), ...changed }));
}

/** A form that was not accepted answers with its page. */
async function answerOf(answer: Response): Promise<Response> {
  const { location } = answer.headers;
  return location === undefined ? answer : merchant.get(location);
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 10, g: 99, b: 150, alpha: 0.5 } } })
    .png()
    .toBuffer();

/** Posts the form of a picture, and returns the page that answers. */
async function upload(name: string, file: Buffer | undefined, fields: Readonly<Record<string, string>> = {}) {
  const { settingsVersion } = shop.checkout.settings.current();
  const request = merchant.agent.post('/admin/shop/picture').redirects(0);
  for (const [field, value] of Object.entries({ version: String(settingsVersion), name, ...fields }))
    request.field(field, value);
  return answerOf(await (file ? request.attach('file', file, 'logo.png') : request));
}

let visits = 0;
/** Each visit has its own address: pages are cached for 2 s. */
async function home(): Promise<string> {
  visits += 1;
  return (await new Customer(shop).get(`/?category=none-${visits}`)).text;
}

test('what the merchant types is in the shop at once, and an unchanged form stores nothing', async () => {
  const typed = { 'brand.merchant.phone': '(55) 1234-5678', 'brand.social.instagram': 'https://instagram.com/luz' };
  const saved = await save('contact', typed);
  const again = await save('contact', {});

  expect(saved.text).toContain('Guardamos los cambios.');
  expect(again.text).toContain('No había nada que cambiar.');
  expect(stored()).toEqual({ ...typed, 'brand.merchant.phone': '55 1234-5678' });
  expect(await home()).toContain('https://instagram.com/luz');
});

test('a wrong value has its error at its field, and nothing typed is lost or stored', async () => {
  const typed = {
    'brand.merchant.email': 'hola',
    'brand.whatsapp': '12',
    'brand.social.facebook': 'javascript:alert(1)',
    'brand.merchant.legalName': '4111 1111 1111 1111',
    'brand.merchant.address': 'x'.repeat(201),
    'brand.merchant.rfc': 'LUZ010101AAA',
  };
  const refused = await save('contact', typed);

  expect(refused.status).toBe(422);
  const wrong = [...refused.text.matchAll(/<li><a href="#([^"]+)">/g)].map(([, name]) => name);
  const { 'brand.merchant.rfc': _valid, ...invalid } = typed;
  expect(new Set(wrong)).toEqual(new Set(Object.keys(invalid)));
  expect(refused.text).toContain('value="LUZ010101AAA"');
  expect(refused.text).not.toContain('4111 1111');
  expect(stored()).toEqual({});
});

test('an emptied field that must not be empty has its original value, and an optional one stays empty', async () => {
  const { intro } = brand.texts['es-MX'];
  await save('start', { 'brand.texts.es-MX.heading': 'Hola', 'brand.texts.es-MX.intro': 'Pasa' });
  const saved = await save('start', { 'brand.texts.es-MX.heading': ' ', 'brand.texts.es-MX.intro': '' });

  expect(stored()).toEqual(intro === '' ? {} : { 'brand.texts.es-MX.intro': '' });
  expect(saved.text).toContain(`value="${brand.texts['es-MX'].heading}"`);
  expect((await home()).includes(intro)).toBe(intro === '');
});

test('a color is typed, or chosen from the palette while the text stays', async () => {
  await save('brand', { 'brand.color': '#0B6E99', 'brand.color.picker': '#ffffff' });
  expect(stored()).toEqual({ 'brand.color': '#0b6e99' });
  await save('brand', { 'brand.color.picker': '#336600' });
  expect(stored()).toEqual({ 'brand.color': '#336600' });
  expect((await save('brand', { 'brand.color': 'verde' })).status).toBe(422);
  await save('brand', { 'brand.color': '' });
  expect(stored()).toEqual({});
});

test('a form that was shown before another change of its value is shown again with what was typed', async () => {
  const before = await fieldsOf('brand');
  await save('brand', { 'brand.name': 'Casa Luz' });
  const refused = await merchant.post('/admin/shop/brand', { ...before, 'brand.name': 'Casa Sol' });

  expect(refused.status).toBe(409);
  expect(refused.text).toContain('value="Casa Sol"');
  expect(refused.text).toContain('Ahora es: «Casa Luz».');
  expect(stored()).toEqual({ 'brand.name': 'Casa Luz' });
});

test('a form that is corrected after an error keeps the version that its user saw', async () => {
  const { version = '' } = await fieldsOf('contact');
  await save('contact', { 'brand.merchant.phone': '55 3333 4444' });
  const wrong = { 'brand.merchant.email': 'hola', 'brand.merchant.phone': '55 1111 2222' };
  const refused = await save('contact', { ...wrong, version });
  const posted = /name="version" value="(\d+)"/.exec(refused.text)?.[1];
  const late = await save('contact', { version: posted ?? '', 'brand.merchant.phone': '55 1111 2222' });

  expect(posted).toBe(version);
  expect(late.status).toBe(409);
  expect(stored()).toEqual({ 'brand.merchant.phone': '55 3333 4444' });
});

test('an uploaded logo is on the pages and in the mails, a hero on the start page, and both can be removed', async () => {
  await upload('brand.logo', await picture(600, 120));
  await upload('brand.heroImage', await picture(1_600, 500));
  const { 'brand.logo': logo, 'brand.heroImage': hero } = stored();
  const html = await home();
  await placePaidOrder(shop);
  const [receipt] = await receiveMails(shop);

  expect(html).toContain(`<img class="hero-image" src="${hero}" srcset="${hero}/400 400w`);
  for (const page of [html, (await merchant.get('/admin')).text, (await new Customer(shop).get('/none')).text])
    for (const part of [
      `<img src="${logo}"\nsrcset="${logo}/400 400w`,
      `<link rel="icon" type="image/jpeg" href="${logo}">`,
      `<link rel="apple-touch-icon" href="${logo}">`,
    ])
      expect(page).toContain(part);
  expect(receipt?.html).toContain(`src="${shop.url}${logo}" alt="Logo" height="40"`);
  expect((await new Customer(shop).get(String(logo))).headers['content-type']).toBe('image/jpeg');
  const removed = await upload('brand.logo', undefined, { action: 'remove' });
  expect(removed.text).toContain('Guardamos los cambios.');
  expect(stored()).toEqual({ 'brand.heroImage': hero });
  expect(await home()).toContain('<link rel="icon" type="image/svg+xml" href="/assets/favicon.svg');
});

test('a file that is no picture, and a form without a file, are errors at the field', async () => {
  for (const [file, message] of [
    [Buffer.from('hola'), 'no es una imagen'],
    [undefined, 'Elige un archivo'],
  ] as const) {
    const refused = await upload('brand.logo', file);
    expect([refused.status, refused.text.includes(message)]).toEqual([422, true]);
  }
  expect((await upload('brand.name', await picture(9, 9))).status).toBe(400);
  expect(stored()).toEqual({});
});

test('a typed form that an earlier version stored in another shape is lost, and the page says so', async () => {
  const posted = await merchant.agent
    .post('/admin/shop/brand')
    .redirects(0)
    .type('form')
    .send({ 'brand.color': 'red' });
  await shop.queries.updateTable('typedForms').set({ content: '{"problems":{}}' }).execute();
  const page = await merchant.get(posted.headers['location'] ?? '');

  expect(page.status).toBe(200);
  expect(page.text).toContain('data-test="admin-result"');
});

test('a picture that must wait for other uploads of its session is refused on its page, and nothing is stored', async () => {
  const uploads = new EventEmitter();
  const sessions = await shop.queries.selectFrom('sessions').select('sid').execute();
  const held = sessions.flatMap(({ sid }) =>
    numbers(2).map(() => inUploadTurn(sid, async () => void (await once(uploads, 'end')))),
  );
  const refused = await upload('brand.logo', await picture(9, 9));
  uploads.emit('end');
  await Promise.all(held);

  expect(refused.status).toBe(429);
  expect(refused.text).toContain('Se están procesando otras imágenes');
  expect(stored()).toEqual({});
});

test('a change after which the next process would not start is refused with what was typed', async () => {
  const { web } = shop.context;
  const settings = {
    ...web.checkout.settings,
    findProblems: async (values: StoredSettings) => [...values].map(String),
  };
  await using door = await openDoor({ ...web, checkout: changeCheckout(web.checkout, { settings }) });
  const inProduction = await openBackOffice(door);
  const version = String(shop.checkout.settings.current().settingsVersion);
  const posted = await inProduction.post('/admin/shop/brand', { version, 'brand.name': 'Casa Luz' });

  expect(posted.status).toBe(409);
  for (const part of ['y la tienda no arrancaría', 'value="Casa Luz"', `name="version" value="${version}"`])
    expect(posted.text).toContain(part);
  expect(posted.text).not.toContain('Ahora es');
  expect(stored()).toEqual({});
});

test('the page lists what is still a sample value, until the merchant changes it', async () => {
  const samples = async () =>
    (await merchant.get('/admin/shop')).text.includes('/admin/shop/contact#brand.merchant.phone');

  expect(await samples()).toBe(brand.merchant.phone === '55 0000 0000');
  await save('contact', { 'brand.merchant.phone': '55 1234 5678' });
  expect(await samples()).toBe(false);
});

test('the history names the user and both values, and undoes a change while it is the last of its values', async () => {
  await save('brand', { 'brand.name': 'Casa <Luz>' });
  await storeSettings(shop.queries, { 'removed.setting': [1] });
  shop.clock.advance(1_000);
  const { text } = await merchant.get('/admin/shop/history');
  const undone = await merchant.post('/admin/shop/history/1/undo', {});
  const refused = await merchant.post('/admin/shop/history/1/undo', {});

  expect(text).toContain('Nombre de la tienda: <bdi>valor original</bdi> → <bdi>Casa &lt;Luz&gt;</bdi>');
  expect(text).toContain('removed.setting: <bdi>valor original</bdi> → <bdi>valor guardado</bdi>');
  expect(resultOf(undone)).toBe('changed');
  expect(resultOf(refused)).toBe('unchanged');
  expect(stored()).toEqual({ 'removed.setting': [1] });
  expect((await merchant.get('/admin/shop/history')).text).toContain('Cambio deshecho');
  for (const version of ['9', 'x', '1e1000']) {
    const answer = await merchant.post(`/admin/shop/history/${version}/undo`, {});
    expect(resultOf(answer)).toBe('changed_meanwhile');
  }
});
