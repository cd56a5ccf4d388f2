import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { createLog } from '../../src/log.js';
import { startShop } from '../../src/start-shop.js';

const HEADING = 'id,price,image,category_es_mx,name_es_mx,description_es_mx,image_alt_es_mx';
const SOAP = 'jabon-1,45.50,/products/jabon.jpg,Jabones,Jabón de avena,"Suave, sin perfume",Una pastilla';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tianguis-products-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a shop with this catalog file. */
function start(content?: string | Buffer) {
  const file = join(folder, 'products.csv');
  if (content !== undefined) writeFileSync(file, content);
  const database = `file:${join(folder, 'shop.db')}`;
  const reading = parseConfig({ PORT: '0', DATABASE_URL: database, PRODUCTS_FILE: file });
  if (!reading.ok) throw new Error(reading.problems.join());
  const { config, secrets } = reading;
  return startShop(config, secrets, { clock: Date, log: createLog('silent'), dataDirectory: folder });
}

test.each<[string, string | Buffer | undefined, string]>([
  ['does not exist', undefined, 'ENOENT'],
  ['has no rows', HEADING, 'it has no products'],
  ['has a wrong price', `${HEADING}\n${SOAP.replace('45.50', 'gratis')}`, 'row 2: price'],
  ['has a duplicate id', `${HEADING}\n${SOAP}\n${SOAP}`, 'two products have the id jabon-1'],
  ['is not UTF-8', Buffer.from(`${HEADING}\n${SOAP}`, 'latin1'), 'is not UTF-8'],
  ['is not CSV', `${HEADING}\n"`, 'is no CSV'],
])('a shop whose catalog file %s does not start and reports it', async (_what, content, problem) => {
  await expect(start(content)).rejects.toThrow(problem);
});

test('a shop sells exactly the products of its catalog file', async () => {
  const shop = await start(`${HEADING}\n${SOAP}\n`);
  const page = await fetch(`${shop.url}/products/jabon-de-avena`);
  const text = await page.text();
  await shop.close();

  expect(shop.context.checkout.catalog.products.map(({ id }) => id)).toEqual(['jabon-1']);
  expect(page.status).toBe(200);
  expect(text).toContain('Suave, sin perfume');
  expect(text).toContain('$45.50');
});
