import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../src/db/database.js';

test('only the owner can read the files of the embedded database', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const db = openDatabase(`file:${join(directory, 'new', 'shop.db')}`, () => {});
  try {
    await db.migrate();

    const files = await readdir(join(directory, 'new'));
    const modes = await Promise.all(
      files.map(async (name) => (await stat(join(directory, 'new', name))).mode & 0o777),
    );

    expect(files).toContain('shop.db-wal');
    expect(new Set(modes)).toEqual(new Set([0o600]));
  } finally {
    await db[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
});
