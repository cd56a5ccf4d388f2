import { expect } from '@jest/globals';
import { dumpDatabase } from './inspect.js';
import type { TestShop } from './test-shop.js';

/** Runs requests that must change nothing in the database and call no gateway. */
export async function expectUnchanged(shop: TestShop, run: () => Promise<void>): Promise<void> {
  const [before, calls] = [await dumpDatabase(shop), shop.control.calls().length];
  await run();
  expect(await dumpDatabase(shop)).toBe(before);
  expect(shop.control.calls()).toHaveLength(calls);
}
