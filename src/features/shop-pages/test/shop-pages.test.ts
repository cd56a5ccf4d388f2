/** The form of a page, as a merchant uses it. */
import { beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { createApp } from '../../../app.js';
import type { Locale } from '../../../shop/rules/locale.js';
import { LOCALES } from '../../../shop/rules/locales.js';
import { contentPagePath } from '../../../web/paths.js';

const FORM = '/admin/pages/es-MX/terms';
const TEXT = '# Condiciones de Luz\n\nEscríbenos a {{merchant.email}}. <script>alert(1)</script>';

const shop = await openSharedShop();
await addUser(shop, 'luis', 'fulfillment');
let merchant: Customer;
beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

const current = () => shop.context.web.settings.current();
const stored = () => Object.fromEntries(current().storedSettings);
const shownIn = (locale: Locale) => current().contentIn(locale).get('terms');

let visits = 0;
/** Each visit has its own address: pages are cached for 2 s. */
async function publicPage(path = contentPagePath('terms')): Promise<string> {
  visits += 1;
  return (await new Customer(shop).get(`${path}?visit=${visits}`)).text;
}

async function post(action: 'save' | 'preview' | 'original', page_text: string, path = FORM) {
  const version = String(current().settingsVersion);
  return merchant.post(path, { action, version, page_text });
}

/** Follows the redirect to a preview. */
async function preview(text: string) {
  const answer = await post('preview', text);
  return merchant.get(answer.headers['location']?.replace(/#.*/, '') ?? '');
}

test('a preview shows the page below the typed text and stores nothing, and a change meanwhile is still detected', async () => {
  const shown = await preview(TEXT);
  await storeSettings(shop.queries, { 'pages.es-MX.terms': '# Otra' });
  const version = /name="version" value="(\d+)"/.exec(shown.text)?.[1];
  const late = await merchant.post(FORM, { action: 'save', version, page_text: TEXT });

  const [, html = ''] = /data-test="page-preview">([\s\S]*?)<\/article>/.exec(shown.text) ?? [];
  expect(shown.status).toBe(200);
  expect(html).toContain('<h1>Condiciones de Luz</h1>');
  expect(html).toContain(`href="mailto:${current().brand.merchant.email}"`);
  expect(html).toContain('&lt;script&gt;');
  expect(shown.text).toContain('Escríbenos a {{merchant.email}}.');
  expect(late.status).toBe(409);
  expect(late.text).toContain('# Condiciones de Luz');
  shop.clock.advance(2_000);
  expect(await publicPage()).toContain('<h1>Otra</h1>');
});

test('a saved text is the page of its locale at once, in another process within 2 s, and the history undoes it', async () => {
  const before = shownIn('es-MX')?.title ?? '';
  const replica = await shop.openReplica();
  const saved = await post('save', TEXT.replaceAll('\n', '\r\n'));
  shop.clock.advance(2_000);
  const other = await supertest(createApp(replica.web)).get('/pages/terms?visit=other');
  const history = (await merchant.get('/admin/shop/history')).text;

  expect(resultOf(saved)).toBe('changed');
  expect(stored()).toEqual({ 'pages.es-MX.terms': TEXT });
  for (const html of [await publicPage(), other.text]) {
    expect(html).toContain('<h1>Condiciones de Luz</h1>');
    expect(html).not.toContain('data-test="sample"');
  }
  expect(history).toMatch(/Página: Condiciones de Luz[^<]*: <bdi>valor original<\/bdi>/);
  await merchant.post('/admin/shop/history/1/undo', {});
  expect(await publicPage()).toContain(`<h1>${before}</h1>`);
});

test('the original text comes back, except for a sample text in production, where the shop would not start with it', async () => {
  const { title: before, sample } = shownIn('es-MX') ?? {};
  const isSample = sample !== undefined;
  await post('save', TEXT);
  const page = await merchant.get(FORM);
  const original = await post('original', 'not read');
  const restored = [stored(), shownIn('es-MX')?.title];

  await post('save', TEXT);
  const { web } = shop.context;
  await using door = await openDoor({ ...web, config: { ...web.config, production: true } });
  const inProduction = await openBackOffice(door);
  const form = (await inProduction.get(FORM)).text;
  const refused = await inProduction.post(FORM, { action: 'original', version: '9', page_text: TEXT });

  expect(page.text).toContain('data-test="original-page"');
  expect(form.includes('data-test="original-page"')).toBe(!isSample);
  expect(resultOf(refused)).toBe(isSample ? 'unchanged' : 'changed');
  expect([resultOf(original), ...restored]).toEqual(['changed', {}, before]);
});

test('an unchanged text stores nothing, but a sample text that is saved as it is becomes the own text', async () => {
  const isSample = shownIn('es-MX')?.sample !== undefined;
  const text = shownIn('es-MX')?.text.trim() ?? '';
  const saved = await post('save', text);

  expect([resultOf(saved), stored()]).toEqual(
    isSample ? ['changed', { 'pages.es-MX.terms': text }] : ['unchanged', {}],
  );
  expect(resultOf(await post('save', text))).toBe('unchanged');
});

test.each([
  ['heading', '## Sin título', 'Falta el título'],
  ['empty text', '', 'Falta el título'],
  ['placeholder', '# A\n\n{{merchant.fax}}', 'El dato «merchant.fax» no existe'],
  ['name of an object', '# A\n\n{{constructor}}', 'El dato «constructor» no existe'],
  ['picture', '# A\n\n![B](/nada.jpg)', 'no tiene la imagen /nada.jpg'],
  ['pasted picture', `# A\n\n![B](data:image/png;base64,${'A'.repeat(9_000)})`, 'no tiene la imagen data:image/png'],
  ['nesting', `# A\n\n${'>'.repeat(19_000)}`, 'demasiados niveles'],
  ['length', `# A\n\n${'e'.repeat(20_000)}`, '20000 caracteres'],
  ['card number', '# A\n\nPago con 4111 1111 1111 1111.', 'parece de tarjeta'],
])(
  'a text with a wrong %s is refused at its field, with what was typed, and nothing is stored',
  async (_, text, message) => {
    for (const action of ['save', 'preview'] as const) {
      const refused = await post(action, text);

      expect([refused.status, refused.text.includes('id="page_text-error"')]).toEqual([422, true]);
      expect(refused.text).toContain(message);
      expect(refused.text).toContain(`>${text.slice(0, 12).replaceAll('>', '&gt;')}`);
      expect(refused.text).not.toContain('4111 1111');
    }
    expect(stored()).toEqual({});
  },
);

test('a legal text of almost 20,000 characters with accounts, telephones and tables of digits is accepted', async () => {
  const digits = 'CLABE 012180001234567897, tel. 55 1234 5678 / 55 8765 4321\n\n|1|2|3|\n|-|-|-|\n|1000|2000|3000|\n\n';
  const text = `# Aviso\n\n${digits}${'Según la Ley, el titular podrá pedirlo.\n\n'.repeat(480)}`.trim();

  expect((await preview(text)).text).toContain('CLABE 012180001234567897');
  expect(resultOf(await post('save', text))).toBe('changed');
  expect(stored()).toEqual({ 'pages.es-MX.terms': text });
});

test('list and overview mark each sample text with a link to its form, until it is written, and a broken stored text', async () => {
  const samples = async () => (await merchant.get('/admin/pages')).text.split('Texto de ejemplo').length - 1;
  const expected = LOCALES.flatMap((locale) =>
    [...current().contentIn(locale).values()].filter((page) => page.sample && page.locale === locale),
  ).length;
  const isSample = shownIn('es-MX')?.sample !== undefined;

  expect(await samples()).toBe(expected);
  for (const path of ['/admin', '/admin/shop'])
    expect((await merchant.get(path)).text.includes(`href="${FORM}"`)).toBe(isSample);
  expect((await (await openBackOffice(shop, 'luis')).get('/admin')).text).not.toContain(`href="${FORM}"`);
  await post('save', TEXT);
  expect(await samples()).toBe(expected - Number(isSample));
  expect((await merchant.get('/admin')).text).not.toContain(`href="${FORM}"`);
  await storeSettings(shop.queries, { 'pages.es-MX.terms': '{{unknown}}' });
  shop.clock.advance(2_000);
  expect((await merchant.get('/admin/pages')).text).toContain('El texto guardado tiene un error');
  expect((await merchant.get(FORM)).text).toContain('{{unknown}}');
});

test('a user without the role manager neither sees nor sends the form, no other site sends it, and other pages have none', async () => {
  const luis = await openBackOffice(shop, 'luis');
  const foreign = await merchant.agent.post(FORM).set('Sec-Fetch-Site', 'cross-site').type('form').send({});
  const answers = [await luis.get('/admin/pages'), await luis.get(FORM), await luis.post(FORM, {}), foreign];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await merchant.get('/admin/shop')).text).toContain('href="/admin/pages"');
  for (const path of ['es-MX/none', 'fr/terms', '__proto__/terms'])
    expect((await merchant.get(`/admin/pages/${path}`)).status).toBe(404);
});
