/** Simulates further processes of the same shop inside one process. */

import type { GatewaySettings } from '@tianguis/payments/testing';
import { createGateway, type Gateway } from '@tianguis/payments/testing';
import { createApp } from '../../src/app.js';
import type { AppContext } from '../../src/context.js';
import type { WebContext } from '../../src/web/web-context.js';
import { changeCheckout } from './change-checkout.js';
import { openServer } from './http.js';
import { API_KEY, type TestShop } from './test-shop.js';

/** Starts an HTTP server for these services on a free port. */
export async function openDoor(web: WebContext) {
  const server = await openServer(createApp(web));
  return { ...server, url: `http://localhost:${server.port}` };
}

/** Starts an HTTP server for the shop with another maximum of one limit, so that tests need not count to it. */
export function openWithLimit(
  { context: { web } }: TestShop,
  { name, max }: { readonly name: string; readonly max: number },
) {
  const { db } = web.checkout;
  const limiter: typeof db.limiter = (limit) => db.limiter(limit.name === name ? { ...limit, max } : limit);
  return openDoor({ ...web, checkout: changeCheckout(web.checkout, { db: { ...db, limiter } }) });
}

/** Creates a gateway client for a simulator. It waits between its tries without jitter, so for the shortest time. */
export function createClient(url: string, settings: Partial<GatewaySettings> = {}): Gateway {
  return createGateway({
    baseUrl: url,
    checkoutApiUrl: url,
    apiKey: API_KEY,
    pageOrigins: [new URL(url).origin],
    production: false,
    signingText: 'ascii',
    signingSecret: undefined,
    random: (bytes) => Buffer.alloc(bytes),
    ...settings,
  });
}

/** Returns the shop's services with a gateway client that has short deadlines, so that tests do not wait. */
export function impatient({ context, simulator }: TestShop, deadlines: GatewaySettings['deadlines']): AppContext {
  const gateway = createClient(simulator.url, { deadlines });
  const checkout = changeCheckout(context.checkout, { gateway });
  return {
    ...context,
    checkout,
    web: { ...context.web, checkout },
    async [Symbol.asyncDispose]() {
      gateway[Symbol.dispose]();
    },
  };
}
