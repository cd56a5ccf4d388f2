/** Follows the recipes of docs/adapting.md that change code, in a copy of the project. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openBackOffice, PASSWORD } from '../support/admin.js';
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
import { mailFiles } from '../support/mailbox.js';
import { freePort, Program } from '../support/programs.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

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

function compile(): void {
  const compiler = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
  expect(run(copy, process.execPath, compiler, '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' });
}

/** Each test builds a copy of the project and plays it in a browser or over HTTP. */
const LONG_MS = 300_000;

/** Builds the copy and starts the simulator and the shop. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  expect(run(copy, 'npm', 'run', '--silent', 'build')).toMatchObject({ code: 0 });
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const folder = join(copy, 'run');
  mkdirSync(folder);
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

/** Returns what the shop sent to create its only checkout session. */
async function readSession(shop: { readonly simulatorUrl: string }): Promise<SessionRequest> {
  const [session] = (await control(shop, 'sessions')) as { readonly request: SessionRequest }[];
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

/** The document names it in a list. */
const [GIFT_WRAPPING = ''] =
  /git apply docs\/examples\/gift-wrapping[^`]*/.exec(readFileSync(join(root, 'docs/adapting.md'), 'utf8')) ?? [];

test(
  'in a small shop in Spanish each recipe applies, and the shop compiles',
  () => {
    for (const [name, value] of [
      ['user.name', 'A'],
      ['user.email', 'a@shop.example'],
    ] as const)
      run(copy, 'git', 'config', name, value);
    const undo = () => run(copy, 'bash', '-c', 'git checkout --quiet . && git clean --force -d --quiet');

    expect(follow('Begin with what you need')).toContain('Removed in one commit:');
    expect(follow('Own brand')).toContain('Wrote');
    for (const heading of ['Additional customer field', 'Shipping prices', 'Content pages', 'Additional page'])
      expect(follow(heading)).toBe('');
    for (const heading of ['Self-invoice receipts', 'Tracing']) expect(follow(heading)).toBe('');
    expect(run(copy, 'bash', '-c', GIFT_WRAPPING)).toEqual({ code: 0, output: '' });
    compile();
    undo();
    follow('ERP notification');
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
