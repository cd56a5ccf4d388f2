/** Follows the recipes of docs/adapting.md that change code, in a copy of the project. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { freePort, Program } from '../support/programs.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let copy: string;

beforeEach(() => {
  copy = copyProject();
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  commitAll(copy);
});

afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

/** Runs the shell commands and applies the diffs below a heading. */
function follow(heading: string): void {
  const sections = readFileSync(join(root, 'docs/adapting.md'), 'utf8').split(/^#{2,3} /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```(sh|diff)\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, language, text = ''] of blocks) {
    writeFileSync(join(copy, 'recipe'), text);
    const command = language === 'sh' ? ['bash', 'recipe'] : ['git', 'apply', 'recipe'];
    expect(run(copy, command[0] ?? '', ...command.slice(1))).toEqual({ code: 0, output: '' });
  }
}

/** Builds the copy and starts the simulator and the shop with one payment flow. */
async function start(flow: 'hosted' | 'card') {
  expect(run(copy, 'npm', 'run', '--silent', 'build')).toMatchObject({ code: 0 });
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const folder = join(copy, 'run');
  mkdirSync(folder);
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', PAYMENT_FLOWS: flow },
    ...{ PORT: String(port), SIMULATOR_PORT: String(simulatorPort) },
  };
  const program = (name: string, script: string, url: string) =>
    new Program({ name, script: join(copy, 'dist', script), folder, env, ready: { url } });
  const url = `http://localhost:${port}`;
  const programs = [
    program('simulator', 'tools/simulator/main.js', `http://localhost:${simulatorPort}/_control/faults`),
    program('shop', 'src/main.js', `${url}/readyz`),
  ];
  await Promise.all(programs.map((each) => each.start()));
  return {
    url,
    async [Symbol.asyncDispose]() {
      await Promise.all(programs.map((each) => each.kill()));
    },
  };
}

test('a shop without the card flow, with a company field, a page and shipping prices of its own, sells through the hosted page', async () => {
  for (const heading of [
    'Without the card flow',
    'Additional customer field',
    'Shipping prices',
    'Additional page',
  ])
    follow(heading);

  await using shop = await start('hosted');

  const customer = await Customer.withCart(shop);
  const form = await customer.get('/checkout');
  const withoutCompany = await customer.payHosted();
  const paying = await customer.payHosted({ ...contact, company: 'Talleres Unidos' });
  expect(form.text).toContain('data-price="$129.00"');
  expect([withoutCompany.status, withoutCompany.text.includes('id="company-error"')]).toEqual([422, true]);
  expect([paying.status, paying.headers['location']]).toEqual([302, expect.stringContaining('/checkout/')]);
  expect((await customer.get('/about')).text).toContain('Quiénes somos');
  expect((await customer.get('/checkout/card')).status).toBe(404);
});

test('a shop without the hosted flow leads to the card page, which gets an access token for the tokenizer', async () => {
  follow('Without the hosted flow');

  await using shop = await start('card');

  const customer = await Customer.withCart(shop);
  const checkout = await customer.get('/checkout');
  expect([checkout.status, checkout.headers['location']]).toEqual([303, '/checkout/card']);
  expect((await customer.get('/checkout/card')).status).toBe(200);
  expect((await customer.post('/checkout/card/access-token', {})).body).toHaveProperty('access_token');
  expect((await customer.payHosted()).status).toBe(404);
});
