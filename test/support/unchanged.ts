import { expect } from '@jest/globals';
import { dumpDatabase } from './inspect.js';
import type { TestShop } from './test-shop.js';

const FORM = /^(?:sessions|typedForms) .*\n?/gm;

/** Runs requests that must change nothing in the database but typed forms and their sessions, and call no gateway. */
export async function expectUnchanged(shop: TestShop, run: () => Promise<void>): Promise<void> {
  const dump = async () => (await dumpDatabase(shop)).replace(FORM, '');
  const [before, calls] = [await dump(), shop.control.calls().length];
  await run();
  expect(await dump()).toBe(before);
  expect(shop.control.calls()).toHaveLength(calls);
}
