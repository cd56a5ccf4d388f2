/** What README.md promises: a shop that removed, changed and added parts takes over a new version, and sells. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openBackOffice, resultOf } from '../support/admin.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { readForm } from '../support/read-form.js';
import { type CopiedShop, payByPage, startCopiedShop } from './support/copied-shop.js';

const SMALL = ['--preset', 'small', '--flows', 'hosted', '--locales', 'es-MX', '--yes', '--name', 'Casa Jacaranda'];
const TEXTS = 'src/locales/es-mx.ts';
const MIGRATIONS = 'src/tables/migrations/index.ts';

/** The new room reads the new column. */
const GIFTS = `import { sql } from 'kysely';
import { newer } from '@tianguis/payments/rules';
import type { Feature } from '../feature.js';

/** The notes of gifts. */
export const gifts: Feature = {
  name: 'gifts',
  place: 900,
  routes: ({ checkout }) => [
    {
      get: '/gifts',
      async handler(_req, res) {
        const query = sql<{ readonly note: string }>\`select gift_note as note from orders\`;
        res.json([newer, ...(await query.execute(checkout.db.queries)).rows]);
      },
    },
  ],
};
`;
/** A room of the shop, which imports the payments as in version 1. */
const GIFT_CARDS = `import { addDays, centavos, toPesosText } from '../../payments/rules/index.js';
import { jobKey } from '../../payments/index.js';
import type { Feature } from '../feature.js';

/** The gift cards. */
export const giftCards: Feature = {
  name: 'gift-cards',
  place: 901,
  routes() {
    const card = [addDays('2026-12-31', 1), toPesosText(centavos(500)), jobKey('receipt', '1')];
    return [{ get: '/gift-cards', handler: (_req, res) => void res.json(card) }];
  },
};
`;
const GIFT_NOTE = `import { type Kysely, type Migration, sql } from 'kysely';

export const giftNote: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql\`alter table orders add column gift_note text not null default 'none'\`.execute(db);
  },
};
`;

// Long enough for three builds on a busy machine.
jest.setTimeout(600_000);

let template: string;
let copy: string;
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');
const write = (folder: string, path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
/** Replaces a text that the file has once. */
const change = (folder: string, path: string, from: string, to: string) => {
  const parts = read(folder, path).split(from);
  expect([path, from, parts.length]).toEqual([path, from, 2]);
  write(folder, path, parts.join(to));
};
const succeeds = (folder: string, command: string, ...args: readonly string[]) => {
  const { code, output } = run(folder, command, ...args);
  expect([command, ...args, code, output]).toEqual([command, ...args, 0, output]);
  return output;
};

beforeEach(() => {
  template = copyProject();
  copyFileSync(CATALOG_FILE, join(template, 'sample/products.csv'));
  commitAll(template);
  copy = mkdtempSync(join(tmpdir(), 'tianguis-shop-'));
  succeeds(tmpdir(), 'git', 'clone', '--quiet', '--origin', 'template', template, copy);
  for (const folder of [template, copy])
    for (const [name, value] of Object.entries({ name: 'A', email: 'a@shop.example' }))
      succeeds(folder, 'git', 'config', `user.${name}`, value);
  linkPackages(copy);
});
afterEach(() => {
  for (const folder of [template, copy]) rmSync(folder, { recursive: true, force: true });
});

/** Commits version 1.99.0 of the template: changed payments, a changed text, a changed room, a new room and a new migration. */
function releaseNewVersion(): void {
  const { version } = JSON.parse(read(template, 'package.json')) as { readonly version: string };
  for (const folder of ['.', 'packages/payments', 'packages/gateway-tools'])
    change(template, join(folder, 'package.json'), `"version": "${version}"`, '"version": "1.99.0"');
  const lock = read(template, 'package-lock.json');
  const versions = /("name": "(?:@?tianguis[^"]*)",\n +"version": )"[^"]+"/g;
  write(template, 'package-lock.json', lock.replace(versions, '$1"1.99.0"'));
  write(template, 'packages/payments/src/rules/newer.ts', "export const newer = 'payments 1.99.0';\n");
  const rules = 'packages/payments/src/rules/index.ts';
  write(template, rules, `${read(template, rules)}export { newer } from './newer.js';\n`);
  change(template, TEXTS, "cart: 'Tu carrito',", "cart: 'Tu carrito de compra',");
  write(template, 'src/features/discounts/en.ts', `${read(template, 'src/features/discounts/en.ts')}// newer\n`);
  write(template, 'src/features/discounts/newer.ts', 'export const newer = 1;\n');
  write(template, 'src/features/gifts/feature.ts', GIFTS);
  write(template, 'src/tables/migrations/2099-01-01-gift-note.ts', GIFT_NOTE);
  change(template, MIGRATIONS, '\n};', "\n  '2099-01-01-gift-note': giftNote,\n};");
  change(
    template,
    MIGRATIONS,
    '\n\n/** The program',
    "\nimport { giftNote } from './2099-01-01-gift-note.js';\n\n/** The program",
  );
  succeeds(template, 'node', 'tools/dev/feature-lists.js');
  succeeds(template, 'git', 'add', '--all');
  succeeds(template, 'git', 'commit', '--quiet', '--message', 'version 1.99.0');
}

async function buy(shop: CopiedShop) {
  const customer = await Customer.withCart(shop);
  const { location = '' } = (await payByPage(shop, customer)).headers;
  const { text } = await customer.get(location);
  expect(readOrderPage(text).state).toBe('paid');
  return readOrderPage(text).number;
}

/** Records the refund of the whole order. Returns the result. */
async function refund(shop: CopiedShop, number: string) {
  const merchant = await openBackOffice(shop);
  const path = `/admin/orders/${number}`;
  const first = await merchant.get(`${path}/refund?attempt=1&way=record`);
  const form = { ...readForm(first.text, `${path}/refund`), reason: 'taza rota', returns_stock: 'no' };
  const second = await merchant.post(`${path}/refund`, form);
  return resultOf(
    await merchant.post(`${path}/refunds`, { ...readForm(second.text, `${path}/refunds`), amount: '289.00' }),
  );
}

test('a small shop with own brand, text and code of version 1 merges a new version, removes again what came back, migrates its orders, sells and refunds', async () => {
  succeeds(copy, 'npm', 'run', '--silent', 'setup', '--', ...SMALL);
  change(copy, TEXTS, "shop: 'Tienda',", "shop: 'Taller',");
  succeeds(copy, 'git', 'commit', '--quiet', '--all', '--message', 'my brand');
  succeeds(copy, 'npm', 'run', '--silent', 'features', '--', 'restore', 'refunds');
  // The restoration has built the shop.
  await using shop = await startCopiedShop(copy);
  const earlier = await buy(shop);
  await shop.program.kill('SIGTERM');
  write(copy, 'src/features/gift-cards/feature.ts', GIFT_CARDS);
  succeeds(copy, 'git', 'add', '--all');
  succeeds(copy, 'git', 'commit', '--quiet', '--message', 'my gift cards');
  releaseNewVersion();

  succeeds(copy, 'git', 'fetch', '--quiet', 'template');
  expect(run(copy, 'git', 'merge', '--quiet', 'FETCH_HEAD')).toMatchObject({ code: 1 });
  // A shop of version 1 gets the script by the merge.
  succeeds(copy, 'git', 'checkout', 'FETCH_HEAD', '--', 'tools/dev/update-imports.js');
  succeeds(copy, 'node', 'tools/dev/update-imports.js');
  const apply = ['run', '--silent', 'features', '--', 'apply'];
  expect(run(copy, 'npm', ...apply, '--dry-run').output).toMatch(/^New in the template, and off: gifts\. /m);
  const applied = succeeds(copy, 'npm', ...apply, '--keep', 'gifts');
  expect(applied).toMatch(
    /^Removed: discounts, en, gateway-tools-source, payments-source, template\..*\nPacked: vendor\/tianguis-payments-1\.99\.0-.*\nNew in the template, and kept: gifts\.$/m,
  );
  succeeds(copy, 'git', 'commit', '--quiet', '--all', '--no-edit');
  expect(succeeds(copy, 'git', 'status', '--porcelain')).toBe('');
  expect(['src/features/discounts', 'packages/payments'].filter((path) => existsSync(join(copy, path)))).toEqual([]);
  expect(JSON.parse(read(copy, 'package.json'))).toMatchObject({ version: '1.99.0', tianguis: { version: '1.99.0' } });
  succeeds(copy, 'npm', 'run', '--silent', 'build');
  await shop.program.start();

  const page = await new Customer(shop).get('/cart');
  for (const text of ['Casa Jacaranda', 'Taller', 'Tu carrito de compra']) expect(page.text).toContain(text);
  await buy(shop);
  expect((await new Customer(shop).get('/gifts')).body).toEqual([
    'payments 1.99.0',
    { note: 'none' },
    { note: 'none' },
  ]);
  expect((await new Customer(shop).get('/gift-cards')).body).toEqual(['2027-01-01', '5.00', 'receipt:1']);
  expect(await refund(shop, earlier)).toBe('refund_recorded');
});
