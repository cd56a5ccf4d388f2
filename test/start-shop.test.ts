import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseConfig } from '../src/config.js';
import { createLog } from '../src/log.js';
import { startShop } from '../src/start-shop.js';

test('a shop that is stopped reports that it is not ready and serves requests for a while before it closes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const reading = parseConfig({ PORT: '0', DATABASE_URL: `file:${join(directory, 'shop.db')}` });
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const config = { ...reading.config, lameDuckMs: 1_000 };
  const log = createLog('silent');
  const shop = await startShop(config, reading.secrets, { clock: Date, log, dataDirectory: directory });
  const statusOf = async (path: string) => (await fetch(`${shop.url}${path}`)).status;
  const before = await statusOf('/readyz');

  const closing = shop.close();
  const during = [await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/')];
  await closing;
  await rm(directory, { recursive: true });

  expect([before, ...during]).toEqual([200, 503, 200, 200]);
  await expect(statusOf('/healthz')).rejects.toThrow();
});
