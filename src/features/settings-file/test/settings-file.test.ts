/** All settings as a file: download, import in the back office and by `npm run admin`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { openCommands } from '../../../../test/support/commands.js';
import type { Customer } from '../../../../test/support/customer.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { findSettings, findSettingsVersion } from '../../../tables/shop-settings.js';
import { findChanges } from '../../shop-settings/repository.js';

const VALUES = { 'brand.name': 'Casa Luz', 'brand.color': '#0b6e99', 'brand.texts.es-MX.intro': '' };
const shop = await openSharedShop();
const { folder, queries, admin } = await openCommands();
let merchant: Customer;

beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

const stored = async (db = shop.queries) => Object.fromEntries(await findSettings(db, await findSettingsVersion(db)));

const download = async () => (await merchant.get('/admin/shop/file')).text;

/** Imports a file, and returns the page that answers. */
async function upload(content: string | Buffer) {
  const request = merchant.agent.post('/admin/shop/file').redirects(0);
  const { headers } = await request.attach('file', Buffer.from(content), 'tienda.json');
  return merchant.get(headers['location'] ?? '');
}

async function store(values: Readonly<Record<string, unknown>>) {
  await storeSettings(shop.queries, values);
  shop.clock.advance(1_000);
}

test('an imported file gives back all settings as one change, which can be undone', async () => {
  await store(VALUES);
  const file = await download();
  await store({ 'brand.name': null, 'brand.color': '#336600', 'brand.whatsapp': '55 1234 5678' });
  const page = await upload(file);

  expect(page.text).toContain('Guardamos los cambios.');
  expect(await stored()).toEqual(VALUES);
  const [{ version, kind, values } = { version: 0, kind: '', values: [] }] = await findChanges(shop.queries, {
    limit: 1,
  });
  expect([kind, values.map(({ name }) => name)]).toEqual(['imported', ['brand.color', 'brand.name', 'brand.whatsapp']]);
  expect(await download()).toBe(file);
  expect((await upload(file)).text).toContain('No había nada que cambiar.');
  await merchant.post(`/admin/shop/history/${version}/undo`, {});
  expect(await stored()).toMatchObject({ 'brand.color': '#336600', 'brand.whatsapp': '55 1234 5678' });
});

test('a file with a wrong value changes nothing, and names each wrong setting', async () => {
  const wrong = { 'brand.color': 'red', 'brand.whatsapp': 7, 'brand.orderPrefix': 'AB', '__proto__.x': 'x' };
  const page = await upload(JSON.stringify({ settings: { ...VALUES, ...wrong } }));

  expect(page.status).toBe(422);
  for (const name of Object.keys(wrong)) expect(page.text).toContain(`<li>${name}: `);
  expect(page.text).not.toContain('<li>brand.name');
  expect(await stored()).toEqual({});
});

test('a possible card number in a file of settings is neither stored nor shown', async () => {
  const page = await upload(JSON.stringify({ settings: { '4242 4242 4242 4242': 1 } }));

  const forms = await shop.queries.selectFrom('typedForms').select('content').execute();
  expect([page.status, forms.length]).toEqual([422, 1]);
  expect(page.text + JSON.stringify(forms)).not.toContain('4242');
});

test('a file of 60,000 unknown settings is read up to the 50th problem, which are stored and shown, and it is logged', async () => {
  const names = Array.from({ length: 60_000 }, (_, number) => [`n${number}${'x'.repeat(number < 3 ? 5_000 : 0)}`, 1]);
  const page = await upload(JSON.stringify({ settings: Object.fromEntries(names) }));

  expect(page.status).toBe(422);
  expect(page.text.match(/<li>n\d+x*: /g)).toHaveLength(50);
  expect(page.text).not.toContain('x'.repeat(100));
  expect(shop.logged.filter((line) => /upload.refused/.test(line) && line.includes('"reason":"unknown"'))).toHaveLength(
    1,
  );
});

test.each([
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['a list', '{"settings":["brand.name"]}'],
  ['another object', '{"brand.name":"Casa Luz"}'],
  ['a large file', `{"settings":${' '.repeat(1024 * 1024)}{}}`],
  ['an empty file', ''],
  ['a file in Windows-1252', Buffer.from('{"settings":{"brand.name":"Casa Peña"}}', 'latin1')],
])('%s is refused as no file of settings', async (_what, content) => {
  const page = await upload(content);

  expect([page.status, page.text.includes('No es un archivo de ajustes')]).toEqual([422, true]);
});

test('the command imports the downloaded file into another shop, and refuses a wrong one by its names', async () => {
  await store(VALUES);
  const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
  writeFileSync(good, await download());
  writeFileSync(bad, '{"settings":{"brand.name":"Casa Sol","brand.color":"red"}}');

  expect(await admin(['import-settings', '--file', bad])).toMatchObject({ code: 1 });
  expect(await stored(queries)).toEqual({});
  const { code, stdout } = await admin(['import-settings', '--file', good]);
  expect([code, stdout]).toEqual([0, `the settings were imported from ${good}\n`]);
  expect(await stored(queries)).toEqual(VALUES);
});
