import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startSimulator } from '@tianguis/gateway-tools';
import { runBuilt, sharedBuild } from '../../../test/support/built-program.js';
import { until } from '../../../test/support/crowd.js';
import { Customer } from '../../../test/support/customer.js';
import { openServer } from '../../../test/support/http.js';
import { freePort } from '../../../test/support/programs.js';

const API_KEY = 'test_key_of_a_process';
const folder = mkdtempSync(join(tmpdir(), 'tianguis-start-'));
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/**
 * Starts a built program with only these settings and waits until its output contains `ready`. Throws with the output if the program ends
 * before. `ended` is the exit code, or the signal that ended the process.
 */
async function start(settings: Record<string, string>, { script = 'src/main.js', ready = '"process.started"' } = {}) {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [join(sharedBuild(), 'dist', script)], { cwd: folder, env });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (bytes) => {
      output[name] += String(bytes);
    });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(() => output.stdout.includes(ready) || hasEnded());
  if (hasEnded()) throw new Error(`${script} ended with ${await ended}: ${JSON.stringify(output)}`);
  return { child, output, ended };
}

/** Starts a shop and its simulator. Disposal stops both. */
async function startShop() {
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const shop = await start({
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: `file:${join(folder, `shop-${port}.db`)}`,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
  });
  return {
    ...shop,
    url,
    simulator,
    async [Symbol.asyncDispose]() {
      shop.child.kill('SIGKILL');
      await shop.ended;
      await simulator.close();
    },
  };
}

test('npm start on other ports is a shop that finds its simulator', async () => {
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const ports = { PORT: String(port), SIMULATOR_PORT: String(simulatorPort) };
  const database = { DATABASE_URL: `file:${join(folder, `shop-${port}.db`)}`, RATE_LIMIT: 'off' };
  const shop = await start({ ...ports, ...database }, { script: 'tools/dev/start-shop.js', ready: 'Simulator' });

  const customer = await Customer.withCart({ url });
  const { status, headers } = await customer.payHosted();
  shop.child.kill('SIGTERM');

  expect(shop.output.stdout).toContain(`http://localhost:${simulatorPort} `);
  expect([status, headers['location']]).toEqual([
    302,
    expect.stringContaining(`http://localhost:${simulatorPort}/checkout/`),
  ]);
  expect(await shop.ended).toBe(0);
});

test('a shop with wrong settings ends with exit code 1 and every problem on standard error, without a value', async () => {
  const secret = 'a-secret-that-is-short';
  const settings = { NODE_ENV: 'production', PORT: 'eighty', SESSION_SECRET: secret };

  const { code, stdout, stderr } = await runBuilt('src/main.js', [], { settings, cwd: folder });

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The shop cannot start with these settings:\n/);
  for (const name of ['SESSION_SECRET', 'PUBLIC_URL', 'PAYMENTS_API_KEY', 'WEBHOOK_AUTH', 'TRUST_PROXY', 'PORT'])
    expect(stderr).toContain(`\n  - ${name}: `);
  for (const hidden of [secret, 'eighty', '    at ']) expect(stderr).not.toContain(hidden);
});

test('a start warns of a value in .env that ends at a #, with its name and without the value', async () => {
  const cwd = mkdtempSync(join(folder, 'cut-'));
  writeFileSync(join(cwd, '.env'), 'SMTP_URL=smtp://shop:hunter#22@mail.example\nPORT=0 # any\n');

  const { code, stderr } = await runBuilt('src/main.js', [], { cwd });

  expect(code).toBe(1);
  expect(stderr).toMatch(/^Warning: in \.env the value of SMTP_URL ends before its #/);
  expect(stderr).toContain('\n  - SMTP_URL: must be smtp://user:password@host:port\n');
  expect(stderr).not.toMatch(/hunter|PORT/);
});

test('a shop that finds its port taken or cannot open its database reports that in one sentence', async () => {
  await using other = await openServer((_req, res) => res.end());

  const run = (settings: Readonly<Record<string, string>>) => runBuilt('src/main.js', [], { settings, cwd: folder });

  const results = await Promise.all([
    run({ PORT: `${other.port}` }),
    run({ PORT: '0', DATABASE_URL: 'file:/dev/null/shop.db' }),
  ]);

  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, expect.stringMatching(/^Port \d+ is taken by another program\./)],
    [1, expect.stringMatching(/^The shop could not start: /)],
  ]);
  for (const { stderr } of results) expect(stderr).not.toContain('    at ');
});

test('an idle shop exits with code 0 on SIGINT, also with a browser connected', async () => {
  await using shop = await startShop();
  await fetch(`${shop.url}/`).then((answer) => answer.text());

  shop.child.kill('SIGINT');

  expect(await shop.ended).toBe(0);
  expect(shop.output.stderr).toBe('');
});

test('at the end of a shop the checkout that is under way is finished, new connections are refused, and the exit code is 0', async () => {
  await using shop = await startShop();
  const { control } = shop.simulator;
  const customer = await Customer.withCart(shop);
  control.fault('create-session', { kind: 'hold' }, 1);
  const checkout = customer.payHosted();
  await until(() => control.calls('create-session').length === 1);

  shop.child.kill('SIGTERM');
  await until(() => shop.output.stdout.includes('"process.stopping"'));
  await until(() =>
    fetch(`${shop.url}/`).then(
      () => false,
      () => true,
    ),
  );
  control.release();
  const answer = await checkout;

  expect(answer.status).toBe(302);
  expect(answer.headers['location']).toBe(`${shop.simulator.url}/checkout/${control.sessions()[0]?.id}`);
  expect(await shop.ended).toBe(0);
  expect(shop.output.stderr).toBe('');
});

test('a second signal ends a shop at once', async () => {
  await using shop = await startShop();
  const { control } = shop.simulator;
  const customer = await Customer.withCart(shop);
  control.fault('create-session', { kind: 'hang' });
  const checkout = customer.payHosted().catch(() => 'cut off');
  await until(() => control.calls('create-session').length === 1);

  shop.child.kill('SIGTERM');
  await until(() => shop.output.stdout.includes('"process.stopping"'));
  shop.child.kill('SIGTERM');

  expect(await shop.ended).toBe(143);
  expect(await checkout).toBe('cut off');
});
