/** An attempt that is open when the pages of its payment flow are removed is verified without them. */
import { expect, test } from '@jest/globals';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { processInbox } from '@tianguis/payments/testing';
import supertest from 'supertest';
import { HOUR, openBankPage, reconcileAfter } from '../checkout/support.js';
import { theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { AUTHENTIC } from '../support/webhooks.js';

const shop = await openSharedShop();

interface Paid {
  readonly path: string;
  readonly event: object;
}

/** Opens an attempt, which the customer then pays at the gateway. Returns the path of the return, and an event about it. */
async function payAt(flow: PaymentFlow): Promise<Paid> {
  if (flow === 'hosted') {
    const { session, returnPath } = await openHostedPage(shop);
    shop.control.paySession(session);
    return { path: returnPath, event: { data: { id: session } } };
  }
  const { payment, returnUrl } = await openBankPage(shop);
  shop.control.approve(payment);
  return { path: returnUrl, event: { id: payment } };
}

/** Starts the shop without the pages of a flow. */
function openWithout(flow: PaymentFlow) {
  const { web } = shop.context;
  return openDoor({ ...web, flows: web.flows.filter(({ id }) => id !== flow) });
}

test.each(['hosted', 'card'] as const)(
  'without the pages of %s, its open attempt is paid by return, webhook and worker',
  async (flow) => {
    await using door = await openWithout(flow);
    const page = supertest(door.url);
    expect((await page.post(`/checkout/${flow}`).type('form').send({})).status).toBe(404);
    const ways = {
      return: async ({ path }: Paid) => page.get(path),
      webhook: async ({ event }: Paid) => {
        await page.post('/webhooks/payments').set(AUTHENTIC).send(event);
        await processInbox(shop.checkout);
      },
      worker: () => reconcileAfter(shop, HOUR),
    };

    for (const [name, verify] of Object.entries(ways)) {
      await shop.reset();
      await verify(await payAt(flow));
      expect([name, (await theOrder(shop)).state]).toEqual([name, 'paid']);
    }
  },
);
