import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '../src/config.js';
import { createLog } from '../src/log.js';
import { startShop } from '../src/start-shop.js';
import { Customer } from './support/customer.js';
import { until } from './support/inspect.js';
import { openTestShop } from './support/test-shop.js';

const LAME_DUCK_MS = 1_000;

describe('a shop that is being stopped', () => {
  test('first says that it is not ready and goes on serving, so that no proxy runs into a closed door', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
    const reading = parseConfig({ PORT: '0', DATABASE_URL: `file:${join(directory, 'shop.db')}` });
    if (!reading.ok) throw new Error(reading.problems.join('\n'));
    const config = { ...reading.config, lameDuckMs: LAME_DUCK_MS };
    const log = createLog('silent');
    const shop = await startShop(config, reading.secrets, { clock: Date, log, dataDirectory: directory });
    const statusOf = async (path: string) => (await fetch(`${shop.url}${path}`)).status;
    const before = await statusOf('/readyz');

    const closing = shop.close();
    const during = [await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/')];
    await closing;
    await rm(directory, { recursive: true });

    expect([before, ...during]).toEqual([200, 503, 200, 200]);
    await until(() =>
      statusOf('/healthz').then(
        () => false,
        () => true,
      ),
    );
  });
});

describe('a shop that warms up', () => {
  test('asks the gateway nothing, and leads to the payment page as ever', async () => {
    await using shop = await openTestShop();

    await shop.context.warmUp();
    const asked = shop.simulator.control.calls().length;
    const customer = await Customer.withCart(shop);

    expect(asked).toBe(0);
    expect((await customer.payHosted()).status).toBe(302);
  });
});
