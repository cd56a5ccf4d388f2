import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { createLog } from '../../src/log.js';
import { startShop } from '../../src/start-shop.js';

const HEADING = 'id,price,image,category_es_mx,name_es_mx,description_es_mx,image_alt_es_mx';
const SOAP = 'jabon-1,45.50,/products/jabon.jpg,Jabones,Jabón de avena,"Suave, sin perfume",Una pastilla';

describe('a shop with a file of its own goods', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tianguis-goods-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function open(bytes?: string | Buffer) {
    const file = join(folder, 'products.csv');
    if (bytes !== undefined) writeFileSync(file, bytes);
    const database = `file:${join(folder, 'shop.db')}`;
    const reading = parseConfig({ PORT: '0', DATABASE_URL: database, PRODUCTS_FILE: file });
    if (!reading.ok) throw new Error(reading.problems.join());
    return startShop(reading.config, reading.secrets, {
      clock: Date,
      log: createLog('silent'),
      dataDirectory: folder,
    });
  }

  const WRONG: readonly (readonly [string, string | Buffer | undefined, string])[] = [
    ['is not there', undefined, 'ENOENT'],
    ['has no rows', HEADING, 'it has no products'],
    ['has a wrong price', `${HEADING}\n${SOAP.replace('45.50', 'gratis')}`, 'row 2: price'],
    ['sells one thing twice', `${HEADING}\n${SOAP}\n${SOAP}`, 'two products have the id jabon-1'],
    ['is no UTF-8', Buffer.from(`${HEADING}\n${SOAP}`, 'latin1'), 'is not UTF-8'],
    ['is no CSV', `${HEADING}\n"`, 'is no CSV'],
  ];

  test.each(WRONG)('does not start when it %s, and says why', async (_, bytes, problem) => {
    await expect(open(bytes)).rejects.toThrow(problem);
  });

  test('sells what is in it and nothing else', async () => {
    const shop = await open(`${HEADING}\n${SOAP}\n`);
    const page = await fetch(`${shop.url}/products/jabon-de-avena`);
    const text = await page.text();
    await shop.close();

    expect(shop.context.checkout.catalog.products.map(({ id }) => id)).toEqual(['jabon-1']);
    expect(page.status).toBe(200);
    expect(text).toContain('Suave, sin perfume');
    expect(text).toContain('$45.50');
  });
});
