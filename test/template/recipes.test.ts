/** Follows the recipes of docs/adapting.md that change code, in a copy of the project. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { addDays, dayOf } from '../../src/shop/rules/mexico-day.js';
import { openBackOffice, PASSWORD, resultOf } from '../support/admin.js';
import { until } from '../support/crowd.js';
import {
  Customer,
  contact,
  mugDelivery,
  readOrderPage,
  sessionIdOf,
  shownTotal,
  valueIn,
} from '../support/customer.js';
import { openServer } from '../support/http.js';
import { linkPackages } from '../support/link-packages.js';
import { mailFiles, readMail } from '../support/mailbox.js';
import { freePort, Program } from '../support/programs.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { readForm } from '../support/read-form.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const withLoyalty = { ...contact, loyalty_number: '12345678' };
let copy: string;

interface SessionRequest {
  readonly return_url: string;
  readonly amount_total: number;
  readonly line_items: readonly unknown[];
}

beforeEach(() => {
  copy = copyProject();
  linkPackages(copy);
  commitAll(copy);
});

afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** Runs the shell commands below a heading, those for a locale only in a shop that has it. Returns what they print. */
function follow(heading: string): string {
  const sections = readFileSync(join(root, 'docs/adapting.md'), 'utf8').split(/^#{2,3} /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^(?:With `(\w+)`, also:\n\n)?```sh\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(0);
  const outputs = blocks.map(([, locale, text = '']) => {
    if (locale !== undefined && !existsSync(join(copy, 'content', locale))) return '';
    const { code, output } = run(copy, 'bash', '-c', text);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    return output;
  });
  return outputs.join('');
}

/** The presets commit. */
function nameAuthor(): void {
  for (const [name, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@shop.example'],
  ] as const)
    run(copy, 'git', 'config', name, value);
}

function compile(): void {
  const compiler = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
  expect(run(copy, process.execPath, compiler, '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' });
}

/** Each test builds a copy of the project and plays it in a browser or over HTTP. */
const LONG_MS = 300_000;

/** Builds the copy and starts the simulator and the shop. A second start with the same ports continues with the data of the first. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  expect(run(copy, 'npm', 'run', '--silent', 'build')).toMatchObject({ code: 0 });
  const { PORT: port = await freePort(), SIMULATOR_PORT: simulatorPort = await freePort() } = settings;
  const folder = join(copy, 'run');
  mkdirSync(folder, { recursive: true });
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn' },
    ...{ PORT: String(port), SIMULATOR_PORT: String(simulatorPort) },
    ...settings,
  };
  const program = (name: string, script: string, url: string) =>
    new Program({ name, script: join(copy, 'dist', script), folder, env, ready: { url } });
  const url = `http://localhost:${port}`;
  const programs = [
    program(
      'simulator',
      '../node_modules/@tianguis/gateway-tools/bin/gateway-simulator.js',
      `http://localhost:${simulatorPort}/_control/faults`,
    ),
    program('shop', 'src/main.js', `${url}/readyz`),
  ];
  await Promise.all(programs.map((each) => each.start()));
  return {
    url,
    simulatorUrl: `http://localhost:${simulatorPort}`,
    folder,
    async [Symbol.asyncDispose]() {
      await Promise.all(programs.map((each) => each.kill()));
    },
  };
}

async function control(shop: { readonly simulatorUrl: string }, operation: string, ...input: unknown[]) {
  const answer = await fetch(`${shop.simulatorUrl}/_control/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  });
  return ((await answer.json()) as { readonly result: unknown }).result;
}

/** Returns what the shop sent to create its last checkout session. */
async function readSession(shop: { readonly simulatorUrl: string }): Promise<SessionRequest> {
  const session = ((await control(shop, 'sessions')) as { readonly request: SessionRequest }[]).at(-1);
  if (!session) throw new Error('the shop created no session');
  return session.request;
}

/** Writes a tracer that stores its spans in `spans`, and returns its path. */
function writeTracer(): string {
  const path = join(copy, 'tracer.mjs');
  const lines = [
    `import { appendFileSync } from 'node:fs';`,
    `import { trace } from '@opentelemetry/api';`,
    `const startSpan = (name, { attributes, startTime }) => {`,
    `  appendFileSync('${copy}/spans', JSON.stringify([name, attributes, typeof startTime]) + '\\n');`,
    `  return { end() {} };`,
    `};`,
    `trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });`,
  ];
  writeFileSync(path, lines.join('\n'));
  return path;
}

test(
  'a shop with a customer field, a page, shipping prices and self-invoice receipts of its own sells through the hosted page, mails the link of the receipt and makes spans',
  async () => {
    for (const heading of [
      ...['Additional customer field', 'Shipping prices', 'Content pages'],
      ...['Additional page', 'Self-invoice receipts', 'Tracing'],
    ])
      expect(follow(heading)).toBe('');
    const received: { readonly url: string; readonly key: string; readonly body: unknown }[] = [];
    const link = 'https://factura.example/?a=1&b=2';
    await using service = await openServer(async (req, res) => {
      const key = String(req.headers.authorization);
      received.push({ url: `${req.method} ${req.url}`, key, body: JSON.parse(await text(req)) });
      res.end(JSON.stringify({ self_invoice_url: link }));
    });

    await using shop = await start({
      INVOICING_URL: service.url,
      INVOICING_KEY: 'key-of-the-shop-1',
      INVOICE_REQUEST_MONTHS: 'off',
      NODE_OPTIONS: `--import=${writeTracer()}`,
    });
    const customer = await Customer.withCart(shop, { product_id: 'cafe-chiapas', quantity: '2' });
    const form = await customer.get('/checkout');
    const refused = await customer.payHosted({ ...withLoyalty, loyalty_number: '1234567' });
    const paying = await customer.payHosted(withLoyalty);
    expect(form.text).toContain('data-price="$129.00"');
    expect(refused.status).toBe(422);
    expect(refused.text.match(/id="\w+-error"/g)).toEqual(['id="loyalty_number-error"']);
    for (const path of ['/pages/about', '/about']) expect((await customer.get(path)).text).toContain('Quiénes somos');
    const id = sessionIdOf(paying.headers['location']);
    await control(shop, 'paySession', id);
    const request = await readSession(shop);
    await customer.get(new URL(request.return_url).pathname);
    await customer.add();
    expect((await customer.get('/checkout')).text).toContain(`value="${withLoyalty.loyalty_number}"`);
    const mails = join(shop.folder, 'shop/data/mail');
    await until(() => mailFiles(mails).some((file) => readFileSync(file, 'utf8').includes('factura.example')));

    const spans = readFileSync(join(copy, 'spans'), 'utf8').trim().split('\n');
    expect(spans.map((line) => JSON.parse(line))).toEqual([
      ['gateway call', { call: 'create-session' }, 'number'],
      ['gateway call', { call: 'read-session' }, 'number'],
      ['payment settled', expect.objectContaining({ flow: 'hosted', trigger: 'return', to: 'paid' }), 'undefined'],
    ]);
    const [first, ...others] = received;
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      url: 'POST /v2/receipts',
      key: 'Bearer key-of-the-shop-1',
      body: {
        payment_form: '04',
        external_id: expect.stringMatching(/^[A-Z]{2}-/),
        idempotency_key: expect.stringMatching(/^on_paid:/),
        items: [
          {
            quantity: 2,
            product: { price: 218.5, tax_included: true, unit_key: 'H87', taxes: [{ type: 'IVA', rate: 0 }] },
          },
          {
            quantity: 1,
            product: { price: 129, product_key: '78102200', taxes: [{ type: 'IVA', rate: 0.16 }] },
          },
        ],
      },
    });
  },
  LONG_MS,
);

/** The document names them in a list. */
const [DELIVERY_DATE = '', GIFT_WRAPPING = ''] = ['delivery-date', 'gift-wrapping'].map(
  (name) =>
    new RegExp(`git apply docs/examples/${name}[^\`]*`).exec(readFileSync(join(root, 'docs/adapting.md'), 'utf8'))?.[0],
);

test(
  'in a small shop in Spanish each recipe applies, and the shop compiles',
  () => {
    nameAuthor();
    const undo = () => run(copy, 'bash', '-c', 'git checkout --quiet . && git clean --force -d --quiet');

    expect(follow('Begin with what you need')).toContain('Removed in one commit:');
    expect(follow('Own brand')).toContain('Wrote');
    for (const heading of ['Additional customer field', 'Shipping prices', 'Content pages', 'Additional page'])
      expect(follow(heading)).toBe('');
    for (const heading of ['Self-invoice receipts', 'Tracing']) expect(follow(heading)).toBe('');
    expect(run(copy, 'bash', '-c', GIFT_WRAPPING)).toEqual({ code: 0, output: '' });
    compile();
    undo();
    expect(run(copy, 'npm', 'run', '--silent', 'features', '--', 'restore', 'shop-settings')).toMatchObject({
      code: 0,
    });
    follow('ERP notification');
    follow('Form in the back office');
    compile();
    undo();
    expect(run(copy, 'npm', 'run', '--silent', 'features', '--', 'restore', 'en')).toMatchObject({ code: 0 });
    follow('Another language');
    compile();
    expect(readFileSync(join(copy, 'src/shop/rules/locales.ts'), 'utf8')).toContain("['es-MX', 'en', 'pt']");
  },
  2 * LONG_MS,
);

test(
  'a gift wrapping for $30 takes at most six files, and reaches total, gateway, order page and packing slip',
  async () => {
    expect(run(copy, 'bash', '-c', GIFT_WRAPPING)).toEqual({ code: 0, output: '' });
    const changed = run(copy, 'git', 'diff', '--name-only').output.trim().split('\n');
    expect(changed.length).toBeLessThanOrEqual(6);
    compile();

    await using shop = await start({ ADMIN_PASSWORD: PASSWORD });
    const customer = await Customer.withCart(shop);
    const gift = { ...mugDelivery, gift_wrapping: '1' };
    const without = await customer.get('/checkout');
    const outdated = await customer.payHosted(gift);
    const updated = await customer.payHosted({ ...gift, update_total: '1' });
    const paying = await customer.payHosted({ ...gift, seen: valueIn(updated.text, 'seen') });
    const again = await customer.get('/checkout');
    await control(shop, 'paySession', sessionIdOf(paying.headers['location']));
    const request = await readSession(shop);
    const returned = await customer.get(new URL(request.return_url).pathname);
    const order = await customer.get(returned.headers['location'] ?? '');
    await customer.add();
    const next = await customer.get('/checkout');
    const { number, state } = readOrderPage(order.text);
    const merchant = await openBackOffice(shop);
    const slip = await merchant.get(`/admin/orders/${number}/packing-slip`);

    const isChecked = /name="gift_wrapping" value="1" checked/;
    const row = 'data-fee="gift_wrapping">$30.00<';
    for (const { text } of [without, next]) expect([isChecked.test(text), text.includes(row)]).toEqual([false, false]);
    for (const [form, status] of [
      [outdated, 409],
      [updated, 200],
      [again, 200],
    ] as const) {
      expect([form.status, isChecked.test(form.text), form.text.includes(row)]).toEqual([status, true, true]);
      expect(shownTotal(form.text)).toBe(418_00);
    }
    expect([paying.status, request.amount_total, state]).toEqual([302, 418_00, 'paid']);
    expect(request.line_items.slice(1)).toMatchObject([
      { product_id: 'shipping', unit_price: 99_00 },
      { product_id: 'gift_wrapping', unit_price: 30_00, name: 'Envoltura de regalo' },
    ]);
    for (const { text } of [order, slip]) expect(text).toContain('Envoltura de regalo');
    expect(slip.text).not.toContain('Envío a domicilio</bdi>');
  },
  LONG_MS,
);

test.each(['full', 'small'])(
  'in a %s shop a delivery date takes at most five files, is read at the checkout, shown to customer, merchant and packer, and erased',
  async (preset) => {
    nameAuthor();
    if (preset === 'small') follow('Begin with what you need');
    const settings = {
      ...{ ADMIN_PASSWORD: PASSWORD, MERCHANT_EMAIL: 'ventas@tienda.example' },
      ...{ PORT: String(await freePort()), SIMULATOR_PORT: String(await freePort()) },
    };
    const pay = async (shop: Awaited<ReturnType<typeof start>>, customer: Customer, fields: object) => {
      const paying = await customer.payHosted(fields);
      await control(shop, 'paySession', sessionIdOf(paying.headers['location']));
      const returned = await customer.get(new URL((await readSession(shop)).return_url).pathname);
      return returned.headers['location'] ?? '';
    };
    const before = new Customer({ url: `http://localhost:${settings.PORT}` });
    let pathBefore = '';
    {
      await using shop = await start(settings);
      await before.add();
      pathBefore = await pay(shop, before, contact);
      await before.add();
    }
    expect(run(copy, 'bash', '-c', DELIVERY_DATE)).toEqual({ code: 0, output: '' });
    const changed = run(copy, 'git', 'diff', '--name-only').output.trim().split('\n');
    expect(changed.filter((path) => !/^src\/locales\/(?:es-mx|en)\.ts$/.test(path)).length).toBeLessThanOrEqual(5);
    compile();

    await using shop = await start(settings);
    const today = dayOf(Date.now());
    const first = addDays(today, 3);
    const shown = new Intl.DateTimeFormat('es-MX', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(first));
    const merchant = await openBackOffice(shop);

    const orderBefore = await before.get(pathBefore);
    const adminBefore = await merchant.get(`/admin/orders/${readOrderPage(orderBefore.text).number}`);
    const form = await before.get('/checkout');
    expect(orderBefore.text).toContain('data-test="person"');
    for (const { status, text } of [orderBefore, adminBefore])
      expect([status, text.includes('Fecha de entrega')]).toEqual([200, false]);
    expect(form.text).toMatch(new RegExp(`id="delivery_date"[^>]* type="date"[^>]* min="${first}" value=""`));

    const early = 'Fecha de entrega: elige un día que sea al menos 3 días después de hoy.';
    for (const [date, message] of [
      ['', 'Elige la fecha de entrega.'],
      ...['mañana', '2027-02-30'].map((text) => [text, 'Elige una fecha de entrega que exista.'] as const),
      ...[addDays(today, -1), today, addDays(today, 2)].map((day) => [day, early] as const),
    ] as const) {
      const refused = await before.payHosted({ ...contact, first_name: 'Noé', delivery_date: date });
      expect([refused.status, ...(refused.text.match(/id="\w+-error"/g) ?? [])]).toEqual([
        422,
        'id="delivery_date-error"',
      ]);
      for (const text of [message, `value="${date}"`, 'value="Noé"', 'value="Calle Macedonio Alcalá 507"'])
        expect(refused.text).toContain(text);
    }

    const path = await pay(shop, before, { ...contact, delivery_date: first });
    const order = await before.get(path);
    const other = await new Customer(shop).get(path);
    const { number, state } = readOrderPage(order.text);
    const adminPath = `/admin/orders/${number}`;
    const mails = () =>
      mailFiles(join(shop.folder, 'shop/data/mail'))
        .map((file) => readMail(readFileSync(file, 'utf8')))
        .filter(({ text }) => text.includes(number));
    await until(() => mails().length === 2);
    const admin = await merchant.get(adminPath);
    const slip = await merchant.get(`${adminPath}/packing-slip`);
    expect(state).toBe('paid');
    expect(other.text).not.toContain('Fecha de entrega');
    expect(
      mails()
        .map(({ to }) => to)
        .sort(),
    ).toEqual([contact.email, settings.MERCHANT_EMAIL]);
    for (const text of [order.text, admin.text, slip.text, ...mails().flatMap((mail) => [mail.text, mail.html])])
      for (const part of ['Fecha de entrega', shown]) expect(text).toContain(part);
    expect(JSON.parse((await merchant.post(`${adminPath}/data`, {})).text)).toMatchObject({
      orders: expect.arrayContaining([
        expect.objectContaining({ customer: expect.objectContaining({ deliveryDate: first }) }),
      ]),
    });
    // A small shop has neither the file nor the form.
    const csv = async () => (preset === 'full' ? (await merchant.get('/admin/orders.csv')).text : '');
    if (preset === 'full') {
      for (const part of ['Fecha de entrega', first]) expect(await csv()).toContain(part);
      expect((await merchant.get('/admin/orders/new')).text).toMatch(
        new RegExp(`id="delivery_date"[^>]* min="${first}"`),
      );
    }
    await before.add();
    const next = await before.get('/checkout');
    expect(next.text).toMatch(/id="delivery_date"[^>]* value=""/);
    expect(next.text).toContain('value="Eva"');

    // An order to ship is not erased.
    const shipment = { to: 'shipped', carrier: 'other', tracking_number: '', version: '1' };
    await merchant.post(`${adminPath}/fulfillment`, shipment);
    const [, version] = /\/erase".*?name="version" value="(\d+)"/s.exec((await merchant.get(adminPath)).text) ?? [];
    const erased = await merchant.post(`${adminPath}/erase`, { confirmation: number, version });
    expect(resultOf(erased)).toBe('erased');
    expect((await merchant.get(adminPath)).text).not.toContain('Fecha de entrega');
    expect(await csv()).not.toContain(first);
  },
  2 * LONG_MS,
);

/** Returns what the page of the counter hours shows: its status, the fields with an error, the result and the form. */
function readHours({ status, text }: Awaited<ReturnType<Customer['get']>>) {
  const errors = [...text.matchAll(/<p class="error" id="(\w+)-error">/g)].map(([, field]) => field);
  const [, result] = /data-test="admin-result">([^<]*)</.exec(text) ?? [];
  const { version, ...typed } = readForm(text, '/admin/counter-hours');
  return { status, errors, result, version, typed };
}

test(
  'a form with three fields takes one file and one view, and shows errors, a result and a conflict with all that was typed',
  async () => {
    follow('Form in the back office');
    const { output } = run(copy, 'git', 'status', '--porcelain', '--untracked-files=all');
    const changed = output.split('\n').flatMap((line) => line.slice('?? '.length) || []);
    const generated = ['src/features/index.ts', 'src/features/messages.ts'];
    const own = changed.filter((path) => !generated.includes(path) && !/\/(?:es-mx|en)\.ts$/.test(path));
    compile();

    await using shop = await start({ ADMIN_PASSWORD: PASSWORD });
    const path = '/admin/counter-hours';
    const [merchant, other] = [await openBackOffice(shop), await openBackOffice(shop)];
    const save = async (user: Customer, fields: object) => readHours(await user.post(path, fields));
    const opened = readHours(await merchant.get(path));
    const { version } = opened;
    const [wrong, card, late] = [
      { days: '¡!', opens_at: '25:00', closes_at: 'a las 6' },
      { days: 'lunes 4111 1111 1111 1111', opens_at: '9:30', closes_at: '18:00' },
      { days: 'Lunes a sábado', opens_at: '10:00', closes_at: '9:00' },
    ];
    const refused = await save(merchant, { ...wrong, version });
    const refusedCard = await merchant.post(path, { ...card, version });
    const refusedOrder = await save(merchant, { ...late, version });
    const right = { days: 'Lunes a viernes', opens_at: '9:30', closes_at: '18:00', version };
    const saved = await merchant.post(path, right);
    const shown = readHours(await merchant.get(saved.headers['location'] ?? ''));
    const newer = { ...late, closes_at: '14:00' };
    const conflict = await save(other, { ...newer, version });
    const again = await other.post(path, { ...conflict.typed, version: conflict.version });
    const last = readHours(await merchant.get(path));

    expect(own).toEqual([
      'src/features/counter-hours/feature.ts',
      'src/features/counter-hours/views/counter-hours.ejs',
    ]);
    expect((await merchant.get('/admin/shop')).text).toContain(`href="${path}"`);
    expect(refused).toMatchObject({ status: 422, errors: ['days', 'opens_at', 'closes_at'], typed: wrong });
    expect(readHours(refusedCard)).toMatchObject({ status: 422, errors: ['days'] });
    expect(readHours(refusedCard).typed).toEqual({ ...card, days: 'lunes [digits]' });
    expect(refusedCard.text).not.toContain('1111');
    expect(refusedOrder).toMatchObject({ status: 422, errors: ['closes_at'], typed: late });
    expect(shown).toMatchObject({ status: 200, errors: [], result: 'Guardamos el horario.' });
    expect(shown.typed).toEqual({ days: 'Lunes a viernes', opens_at: '09:30', closes_at: '18:00' });
    expect(conflict).toMatchObject({ status: 409, errors: [], typed: newer, version: shown.version });
    expect(conflict.result).toContain('Otro usuario cambió el horario');
    expect([again.status, last.typed]).toEqual([303, newer]);
  },
  LONG_MS,
);
