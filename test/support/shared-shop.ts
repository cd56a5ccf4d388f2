import { afterAll, beforeEach } from '@jest/globals';
import { openTestShop, type TestShop, type TestShopOptions } from './test-shop.js';

/** Opens one shop for all tests of a file, which starts each test without records. Tests restore what they change in the catalog. */
export async function openSharedShop(options: TestShopOptions = {}): Promise<TestShop> {
  const shop = await openTestShop(options);
  beforeEach(() => shop.reset());
  afterAll(async () => shop[Symbol.asyncDispose]());
  return shop;
}
