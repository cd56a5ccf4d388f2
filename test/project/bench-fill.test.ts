import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fillOrders } from '../../src/bench/fill.js';
import { openDatabase } from '../../src/store/database.js';

/** More than are written at once. */
const MANY = 25_001;

test('a grown shop has each order once, with its line, its attempt and its history', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const url = `file:${join(directory, 'shop.db')}`;
  try {
    await fillOrders(url, MANY);

    await using db = openDatabase(url, () => {});
    const rowsOf = async (table: 'orders' | 'orderLines' | 'attempts' | 'orderEvents') => {
      const counting = db.queries.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
      return (await counting.executeTakeFirstOrThrow()).rows;
    };
    const counts = [
      await rowsOf('orders'),
      await rowsOf('orderLines'),
      await rowsOf('attempts'),
      await rowsOf('orderEvents'),
    ];

    expect(counts).toEqual([MANY, MANY, MANY, MANY * 2]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
