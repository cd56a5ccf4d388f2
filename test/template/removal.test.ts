/** Removes features from a copy of the project, as `npm run features -- remove` does: their folders, and the lists made anew. */
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openBackOffice } from '../support/admin.js';
import { CATALOG_FILE } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { linkPackages } from '../support/link-packages.js';
import { mailFiles } from '../support/mailbox.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { payByCard } from '../support/purchase.js';
import { unnamedMessages, unnamedViews } from '../support/unnamed-parts.js';
import { payByPage, startCopiedShop } from './support/copied-shop.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const LIST = 'src/features/index.ts';
const FEATURES = readdirSync(join(root, 'src/features'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

// Long enough for check and build on a busy machine.
jest.setTimeout(600_000);

let copy: string;

beforeEach(() => {
  copy = copyProject();
  linkPackages(copy);
  copyFileSync(CATALOG_FILE, join(copy, 'sample/products.csv'));
});
afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

function remove(features: readonly string[]): void {
  for (const feature of features) rmSync(join(copy, 'src/features', feature), { recursive: true });
  expect(run(copy, 'node', 'tools/dev/feature-lists.js')).toEqual({ code: 0, output: '' });
}

/** Returns the keys of all messages of the built copy. */
function messageKeys(): readonly string[] {
  const script = [
    "import { MESSAGES } from './dist/src/features/messages.js';",
    "import { textsOf } from './dist/src/locales/translations.js';",
    "const { core, features } = MESSAGES['es-MX'];",
    'console.log([...textsOf(core, features).keys()].join());',
  ];
  const { output } = run(copy, 'node', '--input-type=module', '-e', script.join('\n'));
  return output.trim().split(',');
}

/** The import rules forbid imports between features, so removing all at once covers each of them. */
test('without its features the shop sells through both payment flows, and the back office shows the orders and takes the decision that money was returned', async () => {
  remove(FEATURES);
  expect(readFileSync(join(copy, LIST), 'utf8')).toContain('features: readonly Feature[] = [\n];');
  expect(unnamedViews(copy)).toEqual([]);
  const compiler = 'node_modules/@typescript/native/bin/tsc';
  expect(run(copy, 'node', compiler, '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' });
  commitAll(copy);
  expect(run(copy, 'npx', 'biome', 'check', '--error-on-warnings')).toMatchObject({ code: 0 });
  expect(run(copy, 'node', 'tools/dev/build.js')).toEqual({ code: 0, output: '' });
  expect(unnamedMessages(copy, messageKeys())).toEqual([]);
  await using shop = await startCopiedShop(copy);
  const customer = await Customer.withCart(shop);

  const byPage = await payByPage(shop, customer);
  await customer.add();
  const byCard = await payByCard(shop, customer);
  await customer.add();
  shop.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  const inReview = await payByPage(shop, customer);
  const merchant = await openBackOffice(shop);

  const overview = await merchant.get('/admin');
  const navigation = /<nav[\s\S]*?<\/nav>/.exec(overview.text)?.[0] ?? '';
  const links = [...navigation.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links).toContain('/admin/orders');
  for (const href of links) expect([href, (await merchant.get(href)).status]).toEqual([href, 200]);
  for (const { headers } of [byPage, byCard]) {
    const { state, number } = readOrderPage((await customer.get(headers['location'] ?? '')).text);
    const page = await merchant.get(`/admin/orders/${number}`);
    expect([state, page.status]).toEqual(['paid', 200]);
  }
  const { number } = readOrderPage((await customer.get(inReview.headers['location'] ?? '')).text);
  const page = await merchant.get(`/admin/orders/${number}`);
  // No form can return the money, so the merchant returns it at the gateway.
  expect(page.text).toMatch(/name="decision" value="refund"/);
});

test('setup makes a small shop with the hosted flow in Spanish, which passes the check, names only what it has, sells, and mails the merchant', async () => {
  commitAll(copy);
  for (const [name, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@shop.example'],
  ] as const)
    run(copy, 'git', 'config', name, value);
  const options = ['--preset', 'small', '--flows', 'hosted', '--locales', 'es-MX', '--yes'];

  expect(run(copy, 'npm', 'run', '--silent', 'setup', '--', ...options)).toMatchObject({ code: 0 });
  expect(run(copy, 'npm', 'run', '--silent', 'check')).toEqual({
    code: 0,
    output: expect.stringMatching(/npm uninstall .*prom-client/),
  });
  expect(run(copy, 'npm', 'run', '--silent', 'build')).toMatchObject({ code: 0 });
  expect([unnamedViews(copy), unnamedMessages(copy, messageKeys())]).toEqual([[], []]);
  const example = readFileSync(join(copy, '.env.example'), 'utf8');
  expect(example).not.toMatch(
    /^(?:TOKENIZER_URL|METRICS_TOKEN|PAYMENTS_SIGNING_\w+|REFUNDS)=|=.*\ben\b|\bcard \(|invoice|\/admin\/shop|its link/m,
  );
  expect(example).toContain('notices: sales, orders in review.');
  const { output: doctor } = run(copy, 'npm', 'run', '--silent', 'doctor', '--', '--production', '--offline');
  expect(doctor).not.toMatch(/two-step|tokenizer|signing|in the back office/i);
  expect(doctor).toContain('merchant mail: MERCHANT_EMAIL is not set');
  const MERCHANT_EMAIL = 'avisos@jacaranda.example';
  await using shop = await startCopiedShop(copy, { MERCHANT_EMAIL });
  const customer = await Customer.withCart(shop);
  const { headers } = await payByPage(shop, customer);

  expect(readOrderPage((await customer.get(headers['location'] ?? '')).text).state).toBe('paid');
  const mails = join(copy, 'data/shop/data/mail');
  await until(() => mailFiles(mails).some((file) => readFileSync(file, 'utf8').includes(`To: ${MERCHANT_EMAIL}`)));
  for (const path of ['/checkout/card', '/en']) expect([path, (await customer.get(path)).status]).toEqual([path, 404]);
});
