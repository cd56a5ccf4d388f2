import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { holdsAny, leakingFiles } from '../leaks.js';

const SECRETS = ['drill_key', '4000000000000077'];

describe('the search for leaks after a run', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tianguis-leaks-'));
    for (const name of ['shop-0/data/mail', 'simulator']) mkdirSync(join(folder, name), { recursive: true });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('finds a secret in any file of the shop, text or not, and leaves the simulator its own', () => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('shop-0.log', '{"level":40}\n');
    write('shop.db', `\u0000\u00ff${SECRETS[1]}\u0000`);
    write('shop-0/data/mail/1.eml', `Key: ${SECRETS[0]}`);
    write('simulator.log', SECRETS.join(' '));
    write('simulator/state.json', SECRETS.join(' '));

    expect(new Set(leakingFiles(folder, SECRETS))).toEqual(new Set(['shop-0/data/mail/1.eml', 'shop.db']));
  });

  test('goes on while a shop at work gives its mails their names', async () => {
    const path = JSON.stringify(join(folder, 'shop-0/data/mail/busy.eml'));
    const shop = spawn(process.execPath, [
      '-e',
      `const { writeFileSync, renameSync } = require('node:fs');
      for (let mail = 0; ; mail += 1) {
        writeFileSync(${path} + '.part', 'a mail');
        renameSync(${path} + '.part', ${path});
        if (mail === 0) console.log('working');
      }`,
    ]);
    try {
      await once(shop.stdout, 'data');

      for (let searches = 0; searches < 2_000; searches += 1)
        expect(leakingFiles(folder, ['nowhere'])).toEqual([]);
    } finally {
      shop.kill('SIGKILL');
    }
  });

  test('tells text that holds one of them from text that does not', () => {
    expect(holdsAny('a drill_key in here', SECRETS)).toBe(true);
    expect(holdsAny('400000000000007', SECRETS)).toBe(false);
  });
});
