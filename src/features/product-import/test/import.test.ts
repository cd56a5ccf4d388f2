import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { openTestShop } from '../../../../test/support/test-shop.js';
import { PROBLEM_TEXTS } from '../../../catalog/file-problems.js';
import { exportProducts } from '../../../catalog/product-file.js';
import { findProductEvents, findStoredProduct } from '../../../tables/product-changes.js';
import { esMx } from '../es-mx.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);
const IMPORT = '/admin/products-import';
const APPLY = `${IMPORT}/apply`;
const APPLIED = `${IMPORT}?result=applied`;

const HEADING = 'id,price,stock,image,name_es_mx,image_alt_es_mx,category_es_mx';
const rowOf = (id: string, price = '45.50', stock = '') =>
  `${id},${price},${stock},/logo.svg,Jabón ${id},Un jabón,Jabones`;
const csv = (...rows: readonly string[]) => [HEADING, ...rows].join('\r\n');

/** Posts a file for preview. Returns the page that shows the answer. */
async function preview(
  file: string | Buffer | undefined,
  fields: Readonly<Record<string, string>> = {},
  client = merchant,
) {
  const request = client.agent.post(IMPORT).redirects(0);
  for (const [name, value] of Object.entries({ stock: '', ...fields })) request.field(name, value);
  const answer = await (file === undefined ? request : request.attach('file', Buffer.from(file), 'products.csv'));
  const { location = '' } = answer.headers;
  return location.startsWith(IMPORT) ? client.get(location) : answer;
}

const fingerprintIn = (html: string) => /name="preview" value="([^"]+)"/.exec(html)?.[1] ?? '';
const apply = (page: { readonly text: string }, client = merchant) =>
  client.post(APPLY, { preview: fingerprintIn(page.text) });
const stored = async (id: string) => {
  const found = await findStoredProduct(queries, id);
  return found && [found.product.price, found.product.stock, found.product.visible, found.version];
};

test('a previewed file changes nothing until it is applied, then exactly what the preview said, with the name of the user', async () => {
  await apply(await preview(csv(rowOf('old', '10', '4'), rowOf('kept'))));
  const file = csv(rowOf('old', '100', '9'), rowOf('kept'), rowOf('new', '7', '3'));

  const page = await preview(file);
  const before = [await stored('old'), await stored('new')];
  const answer = await apply(page);

  expect(before).toEqual([[1000, 4, true, 1], undefined]);
  for (const text of ['1 nuevo', '1 con cambios', '1 sin cambios', '1 producto tiene otras existencias'])
    expect(page.text).toContain(text);
  expect(page.text).toContain('<bdi>$10.00</bdi> → <bdi>$100.00</bdi>');
  expect(answer.headers['location']).toBe(APPLIED);
  expect((await merchant.get(APPLIED)).text).toContain('Aplicamos los cambios del archivo.');
  expect([await stored('old'), await stored('new'), await stored('kept')]).toEqual([
    ...[
      [10_000, 4, true, 2],
      [700, 3, true, 1],
      [4550, null, true, 1],
    ],
  ]);
  const events = await Promise.all(['old', 'new'].map((id) => findProductEvents(queries, id, 1)));
  expect(events.flat()).toMatchObject([
    { by: 'admin', kind: 'changed', detail: { price: ['10.00', '100.00'] } },
    { by: 'admin', kind: 'created' },
  ]);
});

test('both options of the preview are those of the apply', async () => {
  const list = [rowOf('piece', '10', '4'), rowOf('gone')];
  const exported = await exportProducts(queries);
  const visible = (await queries.selectFrom('products').select('id').where('visible', '=', 1).execute()).length;
  await apply(await preview(csv(...list)));

  const page = await preview(csv(rowOf('piece', '10', '9')), { stock: 'yes', hide_missing: 'yes' });
  await apply(page);
  const states = [await stored('piece'), await stored('gone')];
  await apply(await preview(exported));

  expect(page.text).toContain(`${visible + 1} que se ocultan`);
  for (const name of ['stock', 'hide_missing']) expect(page.text).toMatch(new RegExp(`id="${name}"[^>]* checked`));
  expect(states).toEqual([
    [1000, 9, true, 2],
    [4550, null, false, 2],
  ]);
});

test('a double click applies a file once, and both clicks say so', async () => {
  const page = await preview(csv(rowOf('twice'), rowOf('twice-2', '11')));

  const answers = await Promise.all([apply(page), apply(page)]);
  const late = await apply(page);

  for (const { status, headers } of [...answers, late]) expect([status, headers['location']]).toEqual([303, APPLIED]);
  expect(await findProductEvents(queries, 'twice', 9)).toHaveLength(1);
  expect((await stored('twice'))?.[3]).toBe(1);
});

test('after a change of the catalog the preview is shown again in place of being applied, and can be applied then', async () => {
  await apply(await preview(csv(rowOf('cup', '20'))));
  const seen = await preview(csv(rowOf('cup', '30')));
  await apply(await preview(csv(rowOf('cup', '25'))));
  const page = await preview(csv(rowOf('cup', '30')));
  await queries
    .updateTable('products')
    .set({ price: centavos(2600), version: 3 })
    .where('id', '=', 'cup')
    .execute();

  const again = await apply(page);
  const older = await apply(seen);
  const before = await stored('cup');
  const answer = await apply(again);

  expect([again.status, older.status]).toEqual([409, 409]);
  expect(again.text).toContain('no aplicamos nada');
  expect(again.text).toContain('<bdi>$26.00</bdi> → <bdi>$30.00</bdi>');
  expect(before).toEqual([2600, null, true, 3]);
  expect(answer.headers['location']).toBe(APPLIED);
  expect(await stored('cup')).toEqual([3000, null, true, 4]);
});

test('a sale between preview and apply is kept', async () => {
  await apply(await preview(csv(rowOf('sold', '20', '5'))));
  const page = await preview(csv(rowOf('sold', '30', '5')));
  await queries.updateTable('products').set({ stock: 3 }).where('id', '=', 'sold').execute();

  const answer = await apply(page);

  expect(answer.headers['location']).toBe(APPLIED);
  expect(await stored('sold')).toEqual([3000, 3, true, 2]);
});

test('the apply of another tab, whose file is not the last one that was previewed, applies neither file', async () => {
  const first = await preview(csv(rowOf('tab-1')));
  await preview(csv(rowOf('tab-2')));

  const shown = await apply(first);

  expect(shown.status).toBe(409);
  expect(shown.text).toContain('tab-2');
  expect([await stored('tab-1'), await stored('tab-2')]).toEqual([undefined, undefined]);
});

test('an apply without a file that was previewed in the last 60 minutes asks for the file', async () => {
  const page = await preview(csv(rowOf('late')));
  await queries.updateTable('typedForms').set({ expiresAt: 1 }).execute();

  const answer = await apply(page);
  const shown = await merchant.get(answer.headers['location'] ?? '');

  expect([shown.status, await stored('late')]).toEqual([410, undefined]);
  expect(shown.text).toContain('Elígelo de nuevo');
});

test.each<[string, string | Buffer | undefined, string]>([
  ['that was not chosen', undefined, 'Elige un archivo.'],
  ['that is empty', '', 'El archivo está vacío.'],
  ['in another encoding', Buffer.from(csv(rowOf('é')), 'latin1'), 'El archivo no es texto en UTF-8.'],
  ['that is a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0xff]), 'El archivo no es texto en UTF-8.'],
  ['that is no CSV', `${HEADING}\n"`, 'El archivo no es CSV. Revisa las comillas cerca de la línea'],
  ['without a column', csv(rowOf('a')).replace('image,', 'clave_unidad,'), 'Falta la columna image.'],
  ['without products', HEADING, 'El archivo no tiene productos.'],
  ['with one wrong cell', csv(rowOf('a', 'gratis')), 'Fila 2, price: &#34;gratis&#34; no es un precio en pesos'],
  ['above 8 MB', Buffer.alloc(8 * 1024 * 1024 + 1, 'a'), 'El archivo tiene más de 8 MB.'],
])('a file %s is refused at the field, and the options stay', async (_what, file, problem) => {
  const { status, text } = await preview(file, { hide_missing: 'yes' });

  const [, error] = /id="file-error"><span class="hidden">Error:<\/span> ([^<]*)</.exec(text) ?? [];
  expect(status).toBe(422);
  expect(error).toMatch(new RegExp(`^${problem.replaceAll('.', '\\.')}`));
  expect(text).toContain('href="#file"');
  expect(text).toMatch(/id="hide_missing"[^>]* checked/);
  expect(fingerprintIn(text)).toBe('');
});

test('several problems are listed by row, the first 50 of them', async () => {
  const wrong = numbers(60).map((number) => rowOf(`p-${number}`, 'gratis'));

  const { text } = await preview(csv(rowOf('ok'), ...wrong));

  expect(text).toContain('El archivo tiene 60 problemas.');
  expect(text.match(/<li>Fila \d+, price:/g)).toHaveLength(50);
  expect(text).toContain('<li>Fila 3, price:');
  expect(text).toContain('Y 10 más.');
});

test('every problem of a file has a text in Spanish with the same placeholders', () => {
  const placeholders = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

  expect(Object.keys(esMx.fileProblems)).toEqual(Object.keys(PROBLEM_TEXTS));
  for (const [code, text] of Object.entries(PROBLEM_TEXTS))
    expect([code, placeholders(esMx.fileProblems[code as keyof typeof PROBLEM_TEXTS])]).toEqual([
      ...[code, placeholders(text)],
    ]);
});

test('the downloaded products are the export, and a preview of them changes nothing', async () => {
  const { headers, text } = await merchant.get('/admin/products.csv');
  const page = await preview(text, { stock: 'yes', hide_missing: 'yes' });

  expect(headers['content-disposition']).toBe('attachment; filename=products.csv');
  expect(text).toBe(await exportProducts(queries));
  expect(page.text).toContain('El archivo no cambia nada.');
  expect(fingerprintIn(page.text)).toBe('');
});

test('only a manager imports and exports products, from the own site', async () => {
  const before = await exportProducts(queries);
  const previewed = await preview(csv(rowOf('foreign')));
  for (const role of ['viewer', 'fulfillment'] as const) {
    await addUser(shop, role, role);
    const client = await openBackOffice(shop, role);
    const answers = [
      await client.get(IMPORT),
      await preview(csv(rowOf('foreign')), {}, client),
      await client.post(APPLY, { preview: fingerprintIn(previewed.text) }),
      await client.get('/admin/products.csv'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await client.get('/admin/products')).text).not.toContain(IMPORT);
  }
  const stranger = await preview(csv(rowOf('foreign')), {}, new Customer(shop));
  const crossSite = merchant.agent.post(APPLY).set('Sec-Fetch-Site', 'cross-site').type('form');

  expect(stranger.headers['location']).toContain('/admin/sign-in');
  expect((await crossSite.send({ preview: fingerprintIn(previewed.text) })).status).toBe(403);
  expect(await exportProducts(queries)).toBe(before);
  expect((await merchant.get('/admin/products')).text).toContain(`href="${IMPORT}"`);
});

test('customers place orders while 10,000 products are previewed and applied', async () => {
  await using large = await openTestShop();
  const client = await openBackOffice(large);
  const file = csv(...numbers(10_000).map((number) => rowOf(`bulk-${number}`, '45.50', '7')));
  const buy = async (until: Promise<unknown>) => {
    let isOver = false;
    void until.finally(() => {
      isOver = true;
    });
    const statuses: number[] = [];
    while (!isOver) {
      const customer = await Customer.withCart(large);
      statuses.push((await customer.payHosted()).status);
    }
    return statuses;
  };

  const previewing = preview(file, {}, client);
  const during = await buy(previewing);
  const applying = apply(await previewing, client);
  during.push(...(await buy(applying)));

  expect((await applying).headers['location']).toBe(APPLIED);
  expect(new Set(during)).toEqual(new Set([302]));
  expect(during.length).toBeGreaterThan(2);
  const imported = large.queries.selectFrom('products').select('id').where('id', 'like', 'bulk-%');
  expect(await imported.execute()).toHaveLength(10_000);
});
