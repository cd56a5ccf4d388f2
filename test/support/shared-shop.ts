import { afterAll, beforeEach } from '@jest/globals';
import { openTestShop, type TestShop, type TestShopOptions } from './test-shop.js';

/** Opens one shop for all tests of a file. Records stay as a test leaves them. */
export async function openFileShop(options: TestShopOptions = {}): Promise<TestShop> {
  const shop = await openTestShop(options);
  afterAll(async () => shop[Symbol.asyncDispose]());
  return shop;
}

/** Opens one shop for all tests of a file. Each test starts without records. The catalog stays as a test leaves it. */
export async function openSharedShop(options: TestShopOptions = {}): Promise<TestShop> {
  const shop = await openFileShop(options);
  beforeEach(() => shop.reset());
  return shop;
}
