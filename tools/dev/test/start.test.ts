import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCopy } from '../../../test/support/built-copy.js';
import { until } from '../../../test/support/crowd.js';
import { Customer } from '../../../test/support/customer.js';
import { freePort } from '../../../test/support/programs.js';
import { startSimulator } from '../../simulator/simulator.js';

const API_KEY = 'test_key_of_a_process';

/** A separate built copy of the project, so that other builds are not affected. */
let copy: ReturnType<typeof buildCopy>;
let home: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  copy = buildCopy();
  home = copy.home;
}, 60_000);

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  copy[Symbol.dispose]();
});

interface Started {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string | null>;
}

/** Starts a program of the built copy with only these settings. */
function start(settings: Record<string, string>, program = 'dist/src/main.js'): Started {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [program], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (bytes) => {
      output[name] += String(bytes);
    });
  const ended = new Promise<number | string | null>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  return { child, output, ended };
}

/** Starts a shop and its simulator. Disposal stops both. */
async function startShop() {
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const shop = start({
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: `file:${join(home, `shop-${port}.db`)}`,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
  });
  await until(() => shop.output.stdout.includes('"process.started"') || shop.child.exitCode !== null);
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

describe('npm start', () => {
  test('on other ports, because these are taken, is a shop that finds its simulator', async () => {
    const [port, simulatorPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    const ports = { PORT: String(port), SIMULATOR_PORT: String(simulatorPort) };
    const database = { DATABASE_URL: `file:${join(home, `shop-${port}.db`)}`, RATE_LIMIT: 'off' };
    const shop = start({ ...ports, ...database }, 'dist/tools/dev/start-shop.js');
    await until(() => shop.output.stdout.includes('Simulator') || shop.child.exitCode !== null);

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
});

describe('starting with wrong settings', () => {
  test('ends with exit code 1 and every problem on standard error, without a value', async () => {
    const secret = 'a-secret-that-is-short';
    const { output, ended } = start({ NODE_ENV: 'production', PORT: 'eighty', SESSION_SECRET: secret });

    expect(await ended).toBe(1);
    expect(output.stdout).toBe('');
    expect(output.stderr).toMatch(/^The shop cannot start with these settings:\n/);
    const missing = ['SESSION_SECRET', 'PUBLIC_URL', 'PAYMENTS_API_KEY', 'WEBHOOK_AUTH', 'TRUST_PROXY'];
    for (const name of ['PORT', ...missing]) {
      expect(output.stderr).toContain(`\n  - ${name}: `);
    }
    expect(output.stderr).not.toContain(secret);
    expect(output.stderr).not.toContain('eighty');
    expect(output.stderr).not.toContain('    at ');
  });

  test('on a port that is taken says so in a sentence', async () => {
    await using shop = await startShop();
    const { output, ended } = start({
      PORT: new URL(shop.url).port,
      DATABASE_URL: `file:${join(home, 'other.db')}`,
    });

    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/^Port \d+ is taken by another program\./);
    expect(output.stderr).not.toContain('    at ');
  });

  test('a database that cannot be opened says so in a sentence', async () => {
    const { output, ended } = start({ PORT: '0', DATABASE_URL: 'file:package.json/shop.db' });

    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/^The shop could not start: /);
    expect(output.stderr).not.toContain('    at ');
  });
});

describe('being told to stop', () => {
  test('an idle shop ends well by SIGINT, also with a browser connected', async () => {
    await using shop = await startShop();
    await fetch(`${shop.url}/`).then((answer) => answer.text());

    shop.child.kill('SIGINT');

    expect(await shop.ended).toBe(0);
    expect(shop.output.stderr).toBe('');
  });

  test('the checkout that is under way is finished, new connections are refused, and the exit code is 0', async () => {
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

  test('a second time ends it at once', async () => {
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
});
