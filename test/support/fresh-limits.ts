import { createAccountLimits, limiters } from '@tianguis/payments/testing';
import { createStartLimits } from '../../src/shop/start-limits.js';
import { clientLimiters, type MakeClientLimiter } from '../../src/tables/client-limits.js';
import { changeCheckout } from './change-checkout.js';
import { createClient, openDoor } from './replica.js';
import type { TestShop } from './test-shop.js';

/** Opens the shop with limits in memory that have counted nothing yet, and with a gateway client of its own. */
export async function openWithFreshLimits(shop: TestShop) {
  const { web } = shop.context;
  const gateway = createClient(shop.simulator.url);
  // Windows that do not end during a test.
  const lasting: MakeClientLimiter = (limit) => clientLimiters(limiters(undefined))({ ...limit, seconds: 3_600 });
  const limits = { startLimits: createStartLimits(lasting), accountLimits: createAccountLimits(lasting) };
  const door = await openDoor({ ...web, checkout: changeCheckout(web.checkout, { ...limits, gateway }) });
  return {
    url: door.url,
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]();
      gateway[Symbol.dispose]();
    },
  };
}
