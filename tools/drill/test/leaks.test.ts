import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findLeakingFiles } from '../leaks.js';

const SECRETS = ['drill_key', '4000000000000077'];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tianguis-leaks-'));
  for (const name of ['shop-1/data/mail', 'simulator']) mkdirSync(join(folder, name), { recursive: true });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the leak search finds a secret in every file of the shop, and ignores those of the simulator', () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('shop-1.log', '{"level":40,"card":"400000000000007"}\n');
  write('shop.db', `\u0000\u00ff${SECRETS[1]}\u0000`);
  write('shop-1/data/mail/1.eml', `Key: ${SECRETS[0]}`);
  write('simulator.log', SECRETS.join(' '));
  write('simulator/state.json', SECRETS.join(' '));

  expect(findLeakingFiles(folder, SECRETS).toSorted()).toEqual(['shop-1/data/mail/1.eml', 'shop.db']);
});
