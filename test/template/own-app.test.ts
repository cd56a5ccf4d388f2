/** The samples of docs/own-app.md and of the README of the payments, as one program in an empty folder that has the packed payments and the packages that it installs. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSimulator } from '@tianguis/gateway-tools';
import type { Response } from 'supertest';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { linkPackages } from '../support/link-packages.js';
import { freePort, Program } from '../support/programs.js';
import { run } from '../support/project-copy.js';
import { CARDS } from '../support/purchase.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = 'packages/payments';
const COMPILERS = { 6: 'typescript/bin/tsc', 7: '@typescript/native/bin/tsc' } as const;
const API_KEY = 'test_key_of_an_own_app';
const WEBHOOK_TOKEN = 'webhook-token-of-an-own-app';

const text = readFileSync(join(root, 'docs/own-app.md'), 'utf8');
const samplesIn = (document: string) =>
  [...document.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, sample = '']) => sample);
const samples = [text, readFileSync(join(root, PACKAGE, 'README.md'), 'utf8')].flatMap(samplesIn);
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = readJson(join(root, PACKAGE, 'package.json'));
const entries = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name) => manifest.name + name.slice(1));

/** What `tsc --init` writes, with the library of an older target, and with a check of all types. */
const SETTINGS = {
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2022'], types: ['node'], rootDir: 'src', outDir: 'out' },
  ...{ sourceMap: true, declaration: true, declarationMap: true },
  ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, strict: true, jsx: 'react-jsx' },
  ...{ verbatimModuleSyntax: true, isolatedModules: true, noUncheckedSideEffectImports: true },
  ...{ moduleDetection: 'force', skipLibCheck: false },
};

/** The optional members that refuse `undefined`, of what a host passes. */
const OPTIONS = `
import { createPaymentTables, createPayments, openPaymentDatabase, readPaymentSettings, type Payments, type PaymentTables } from '@tianguis/payments';
type Plain<A> = A extends object ? (A extends readonly unknown[] | ((...args: never) => unknown) ? never : A) : never;
type Passed<F> = F extends (...args: infer A) => unknown ? Plain<Required<A>[number & keyof A]> : never;
type Refusing<T> = T extends unknown
  ? { [K in keyof T]-?: object extends Pick<T, K> ? (undefined extends Required<T>[K] ? never : K) : never }[keyof T]
  : never;
type PassedTo<T> = { [K in keyof T]: Refusing<Passed<T[K]>> }[keyof T];
type Options = Parameters<typeof createPayments<PaymentTables>>[0];
type Found =
  | PassedTo<Omit<Payments, 'context' | 'withLog'>>
  | PassedTo<Payments['refunds'] & Payments['outside'] & Payments['replacement']>
  | Refusing<Options | Options['host'] | Options['settings'] | NonNullable<Options['loops']>[number]>
  | PassedTo<{ a: typeof openPaymentDatabase<PaymentTables>; b: typeof createPaymentTables; c: typeof readPaymentSettings }>;
const found: Found[] = [];
found satisfies never[];
// A host names what each call returns in its own declarations.
export const calls = (payments: Payments) => ({
  start: () => payments.startHosted(''),
  verify: () => payments.verify('', 'checkout'),
  view: async () => payments.viewOf((await payments.verify('', 'checkout')).order),
  token: () => payments.accessToken(),
  refund: (request: Parameters<Payments['refunds']['refund']>[0]) => payments.refunds.refund(request),
  resolve: (request: Parameters<Payments['refunds']['resolve']>[0]) => payments.refunds.resolve(request),
  cancel: (request: Parameters<Payments['cancel']>[0]) => payments.cancel(request),
  decide: (request: Parameters<Payments['decide']>[0]) => payments.decide(request),
  record: (request: Parameters<Payments['outside']['record']>[0]) => payments.outside.record(request),
  show: () => payments.showPayment(''),
});
`;

/** What the test does as an employee, beside own tables, and how it learns that the program listens. */
const OFFICE = `
server.once('listening', () => console.info('app.ready'));
const orderBy = (column: 'state' | 'reviewReason' | 'token', value: string) =>
  database.queries.selectFrom('orders').selectAll().where(column, '=', value as 'paid').executeTakeFirstOrThrow();
const refund = async (order: Order) =>
  refundAll(order, order.version, 'ana', new Date().toLocaleDateString('en-CA', { timeZone: 'America/Mexico_City' }));
app.post('/office/refund/:token', async (req, res) => res.json(await refund(await orderBy('token', req.params.token))));
app.post('/office/resolve', async (_req, res) => {
  const found = await refundsInFlight();
  const results = found.map(async ({ orderId, id }) => {
    const { version = 0 } = (await payments.orders.find(orderId)) ?? {};
    return payments.refunds.resolve({ orderId, refundId: id, version, action: 'repeat', by: 'ana' });
  });
  res.json([await Promise.all(results), await refundsInFlight()]);
});
app.post('/office/review', async (_req, res) => {
  const [twice, unknown] = [await orderBy('reviewReason', 'second_payment'), await orderBy('state', 'outcome_unknown')];
  const decision = (await decisionsFor(unknown)).at(-1) ?? 'confirm';
  res.json([await refund(twice), decision, await decide(unknown.id, unknown.version, 'ana', decision)]);
});
app.post('/office/own', async (_req, res) => {
  const { schema } = ownDatabase.queries;
  let table = schema.createTable('orders').addColumn('id', 'integer', (id) => id.primaryKey());
  for (const column of ['product', 'first_name', 'last_name', 'email']) table = table.addColumn(column, 'text');
  await table.addColumn('cart', 'text', (cart) => cart.unique()).execute();
  await ownDatabase.migrate();
  const visit: Partial<SessionData> = {};
  const payer = { firstName: 'Eva', lastName: 'Ruiz', email: 'eva.ruiz@example.com' };
  const place = () => placeOwn(visit.cart ?? { id: '', product: '', earlier: undefined }, payer, false);
  await changeOwnCart(visit, 'cafe');
  const [first, second] = await Promise.all([place(), place()]);
  const started = await own.startHosted(first.order.id, { passed: 'eva' });
  for (const product of ['copita', 'rebozo']) await changeOwnCart(visit, product);
  const changed = await place();
  const { state, supersededBy } = (await own.orders.find(first.order.id)) ?? {};
  res.json([...[first, second, changed].map(({ order }) => order.id), started.kind, state, supersededBy]);
});
`;

let clone: string;
let app: string;

/** Unpacks the tarball, and links the packages that it and docs/own-app.md name. None of them is \`pg\`. */
async function install(tarball: string): Promise<void> {
  const modules = join(app, 'node_modules');
  mkdirSync(join(modules, manifest.name), { recursive: true });
  run(app, 'tar', '-xzf', tarball, '-C', join(modules, manifest.name), '--strip-components', '1');
  const others = [
    'express',
    'express-session',
    'kysely',
    'libsql',
    '@types/express',
    '@types/express-session',
    '@types/node',
  ];
  for (const name of [...Object.keys(manifest.dependencies), ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
}

const compile = (version: keyof typeof COMPILERS, ...args: readonly string[]) =>
  run(app, process.execPath, join(root, 'node_modules', COMPILERS[version]), '-p', '.', ...args);

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'tianguis-packed-'));
  app = mkdtempSync(join(tmpdir(), 'tianguis-own-app-'));
  const isSource = (path: string) => path !== join(root, PACKAGE, 'dist');
  cpSync(join(root, PACKAGE), join(clone, PACKAGE), { recursive: true, filter: isSource });
  cpSync(join(root, 'tsconfig.json'), join(clone, 'tsconfig.json'));
  linkPackages(clone);
  run(clone, process.execPath, join(root, 'node_modules', COMPILERS[7]), '-p', PACKAGE);
  run(join(clone, PACKAGE), 'npm', 'pack', '--pack-destination', app);
  await install(`tianguis-payments-${manifest.version}.tgz`);
  mkdirSync(join(app, 'src'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: SETTINGS, include: ['src'] }));
  writeFileSync(join(app, 'src/app.ts'), `${samples.join('\n')}${OFFICE}`);
  writeFileSync(join(app, 'src/options.ts'), OPTIONS);
  const imports = entries.map((name, at) => `export * as entry${at} from '${name}';\n`);
  writeFileSync(join(app, 'src/entries.ts'), imports.join(''));
}, 60_000);
afterAll(() => {
  for (const folder of [clone, app]) rmSync(folder, { recursive: true, force: true });
});

test.each([
  [6, ['--module', 'nodenext']],
  [7, ['--module', 'esnext', '--moduleResolution', 'bundler']],
] as const)(
  'the samples, each entry and undefined options compile in a strict app with TypeScript %s and no types of pg',
  (version, options) => {
    expect(samples.length).toBeGreaterThan(0);
    expect(compile(version, '--noEmit', ...options)).toEqual({ code: 0, output: '' });
  },
);

test('docs/own-app.md installs the tarball of this version beside its peers', () => {
  const [, installed = ''] = /^npm install (?!--)(.*)$/m.exec(text) ?? [];
  const [tarball, ...peers] = installed.split(' ');

  expect(tarball).toBe(`./tianguis-payments-${manifest.version}.tgz`);
  expect(new Set([...peers, 'libsql'])).toEqual(new Set(Object.keys(manifest.peerDependencies)));
});

test('each entry loads with import and require, without pg and libsql', () => {
  const bare = mkdtempSync(join(tmpdir(), 'tianguis-bare-'));
  cpSync(join(app, 'node_modules'), join(bare, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  rmSync(join(bare, 'node_modules/libsql'));
  const list = JSON.stringify(entries);
  const importing = `for (const one of ${list}) console.log(Object.keys(await import(one)).length > 0)`;
  const requiring = `for (const one of ${list}) console.log(Object.keys(require(one)).length > 0)`;
  const flags = ['--disable-warning=ExperimentalWarning'];

  const imported = run(bare, process.execPath, ...flags, '--input-type=module', '-e', importing);
  const required = run(bare, process.execPath, ...flags, '--input-type=commonjs', '-e', requiring);

  const output = 'true\n'.repeat(entries.length);
  expect([imported, required]).toEqual([0, 0].map((code) => ({ code, output })));
  rmSync(bare, { recursive: true });
});

test('the tarball has the sources to which its maps lead, and no state of the compiler', () => {
  const folder = join(app, 'node_modules', manifest.name);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const maps = files.filter((path) => path.endsWith('.map'));
  const sources = maps.flatMap((path) =>
    readJson(join(folder, path)).sources.map((source: string) => join(folder, dirname(path), source)),
  );

  expect(maps.filter((path) => path.endsWith('.d.ts.map'))).toHaveLength(maps.length / 2);
  expect(sources.filter((path) => !existsSync(path))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  expect(files.filter((path) => path.endsWith('.tsbuildinfo'))).toEqual([]);
});

test('the samples sell to a double click, a changed cart, by card with 3D Secure and to many clients who pay again, learn of payments by webhook, and resolve a refund', async () => {
  expect(compile(7)).toEqual({ code: 0, output: '' });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const webhook = { url: `${url}/webhooks/payments`, auth: { scheme: 'bearer', token: WEBHOOK_TOKEN } } as const;
  const simulator = await startSimulator({ port: 0, host: 'localhost', apiKey: API_KEY, webhook });
  const { control } = simulator;
  const env = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    PUBLIC_URL: url,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
    REFUNDS: 'gateway',
  };
  const ready = { output: 'app.ready' };
  const program = new Program({ name: 'app', script: join(app, 'out/app.js'), folder: app, env, ready });
  const customer = new Customer({ url });
  customer.agent.set('Origin', url);
  const post = (path: string, fields: object = {}) => customer.send(path, fields);
  const sessionOf = ({ headers }: Response) => headers['location']?.split('/').at(-1) ?? '';
  try {
    await program.start();
    await post('/cart', { product: 'cafe' });
    const [first, second] = await Promise.all([post('/checkout/hosted', contact), post('/checkout/hosted', contact)]);
    await post('/cart', { product: 'copita' });
    await post('/cart', { product: 'rebozo' });
    const changed = await post('/checkout/hosted', contact);
    control.paySession(sessionOf(changed));
    // The browser does not return.
    await until(() => program.log().includes('receipt.sent'), { withinMs: 30_000 });
    // The page of the earlier content was still open.
    control.paySession(sessionOf(first));
    await until(() => program.log().includes("to: 'review'"), { withinMs: 30_000 });

    await post('/cart', { product: 'cafe' });
    const stranger = await new Customer({ url }).send('/checkout/card/access-token', {});
    const access = await post('/checkout/card/access-token', { refused: '1' });
    const tokens = await tokenize(env.TOKENIZER_URL, access.body.access_token);
    const card = await post('/checkout/card', { ...contact, ...tokens });
    const { id = '', returnUrl = '' } = control.payments().at(-1) ?? {};
    const { pathname, search } = new URL(returnUrl);
    const pendingPath = pathname.replace('/checkout/return', '/orders');
    const [pending, linkHolder] = [await customer.get(pendingPath), await new Customer({ url }).get(pendingPath)];
    control.approve(id);
    const returned = await customer.get(pathname + search);
    const path = returned.headers['location'] ?? '';
    await post('/cart', { product: 'cafe' });
    const declined = await post('/checkout/card', { ...contact, ...control.tokenizeCard(CARDS.declined) });
    const declinedPath = declined.headers['location'] ?? '';
    const again: number[] = [];
    // One more than a client may.
    for (const client of [1, 2, 3, 4, 5, 6, 7]) {
      const address = `198.51.100.${client}`;
      const session = await customer.agent.post(`${declinedPath}/pay`).set('X-Forwarded-For', address).redirects(0);
      again.push(session.status);
      if (session.status !== 302) continue;
      control.cancelSession(sessionOf(session));
      await customer.get(declinedPath.replace('/orders', '/checkout/return'));
    }
    await post('/cart', { product: 'cafe' });
    control.fault('process', { kind: 'drop', when: 'before' });
    const lost = await post('/checkout/card', { ...contact, ...control.tokenizeCard(CARDS.paid) });
    const hesitant = new Customer({ url });
    hesitant.agent.set('Origin', url).set('X-Forwarded-For', '198.51.100.8');
    await hesitant.send('/cart', { product: 'cafe' });
    await hesitant.send('/checkout/hosted', contact);
    await hesitant.send('/cart', { product: 'copita' });
    const payByCard = (fields: object = {}) =>
      hesitant.send('/checkout/card', { ...contact, ...control.tokenizeCard(CARDS.declined), ...fields });
    control.fault('read-session', { kind: 'drop', when: 'before' });
    const busy = await payByCard({ pay_again: '1' });
    control.clearFaults();
    const warned = await payByCard();
    const [, name = '', value = ''] = /name="(\w+)" value="(\w+)"/.exec(warned.text) ?? [];
    const confirmed = await payByCard({ [name]: value });
    control.fault('create-session', { kind: 'status', status: 400 }, 1);
    const refused = await hesitant.send(`${confirmed.headers['location']}/pay`, {});
    const [metrics, readyz] = [await customer.get('/metrics'), await customer.get('/readyz')];
    await program.kill();
    await program.start();
    const view = await customer.get(path);
    // Its webhook could resolve the refund before the employee does.
    control.settings({ webhooks: 'off' });
    control.fault('refund', { kind: 'drop', when: 'after' }, 1);
    const refund = await post(path.replace('/orders', '/office/refund'));
    const resolved = await post('/office/resolve');
    const review = await post('/office/review');
    const own = await post('/office/own');

    const answers = [first, second, changed, card, returned, lost];
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 303, 303]);
    expect([sessionOf(second), sessionOf(changed)]).toEqual([
      sessionOf(first),
      expect.not.stringContaining(sessionOf(first)),
    ]);
    expect(again).toEqual(Array(7).fill(302));
    expect([busy, warned, confirmed, refused].map(({ status }) => status)).toEqual([303, 409, 303, 502]);
    expect(confirmed.headers['location']).not.toBe(busy.headers['location']);
    expect([stranger, access, readyz].map(({ status }) => status)).toEqual([403, 200, 200]);
    expect(metrics.body).toMatchObject({
      isKeyRefused: false,
      webhooks: expect.any(Number),
      counts: { 'create-session ok': 10, 'process-payment ok': 3, 'became paid': 2, outcome_unknown: { count: 1 } },
    });
    const waiting = { state: 'pending', safe_to_pay_again: false };
    expect(pending.body).toEqual({ ...waiting, payment_page: card.headers['location'] });
    expect(linkHolder.body).toEqual(waiting);
    expect(view.body).toEqual({ state: 'paid', safe_to_pay_again: false });
    expect(refund.body).toMatchObject({ kind: 'done', refund: { state: 'unknown' } });
    expect(resolved.body).toEqual([['succeeded'], []]);
    expect(review.body).toMatchObject([{ kind: 'done', refund: { state: 'recorded' } }, 'close', 'done']);
    expect(own.body).toEqual(['1', '1', '2', 'redirect', 'cancelled', '2']);
    expect([control.ledger().length, control.refundLedger().length]).toEqual([3, 1]);
  } finally {
    await program.kill();
    await simulator.close();
  }
}, 150_000);

/** Returns the tokens of a card, as \`card.js\` gets them. */
async function tokenize(tokenizer: string, accessToken: string): Promise<object> {
  const card = { card_number: CARDS.challenged, cardholder_name: 'Eva Ruiz', cvv: '123', expiration_month: '12' };
  const headers = { 'Content-Type': 'application/json', 'X-Skyflow-Authorization': accessToken };
  const body = JSON.stringify({ ...card, expiration_year: '2030' });
  return (await fetch(tokenizer, { method: 'POST', headers, body })).json() as Promise<object>;
}
