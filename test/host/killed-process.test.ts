/** The shop as the host of the payments: a process dies while the gateway works on its call, and another one continues. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { processInbox } from '@tianguis/payments/testing';
import { FLOWS } from '../../src/flows/index.js';
import { attemptStates, MINUTE } from '../checkout/support.js';
import { sharedBuild } from '../support/built-program.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { violationsOf } from '../support/invariants.js';
import { freePort, Program } from '../support/programs.js';
import { CARDS, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, leftOf, setStock, stockOf } from '../support/stock.js';
import { paymentEvent, postWebhook } from '../support/webhooks.js';

const shop = await openSharedShop();
const CALLS = { hosted: 'create-session', card: 'process' } as const;

/** Returns the built shop as another process, with the same database and gateway. */
const processAt = (url: string) =>
  new Program({
    name: 'shop',
    folder: shop.directory,
    script: join(sharedBuild(), 'dist/src/main.js'),
    env: { ...shop.environment, HOST: '127.0.0.1', PORT: new URL(url).port },
    ready: { url: `${url}/readyz` },
  });

/** Submits the form again. Returns what the first attempt has become. */
const CONTINUE: Readonly<Record<PaymentFlow, (customer: Customer) => Promise<string>>> = {
  async hosted(customer) {
    await payAndReturn(shop, await openPageOf(shop, customer));
    return 'failed';
  },
  async card(customer) {
    await payByCard(shop, customer);
    await postWebhook(shop, paymentEvent(shop));
    await processInbox(shop.checkout);
    return 'paid';
  },
};

test.each(FLOWS.map(({ id }) => id))(
  'after kill -9 during the start of a payment by %s, the same form leads to one order that is paid once',
  async (flow) => {
    await setStock(shop, 2);
    const url = `http://127.0.0.1:${await freePort()}`;
    await using other = processAt(url);
    await other.start();
    const customer = await Customer.withCart(shop, { product_id: LIMITED });
    const cookie = String((await customer.get('/healthz')).request.cookies);
    const form = { ...contact, ...(await customer.readDelivery()), ...shop.control.tokenizeCard(CARDS.authorized) };
    shop.control.fault(CALLS[flow], { kind: 'hang', apply: true }, 1);

    const request = new Customer({ url }).agent.post(`/checkout/${flow}`).set('Cookie', cookie).type('form').send(form);
    const lost = request.then(
      () => false,
      () => true,
    );
    await until(() => shop.control.sessions().length + shop.control.payments().length === 1);
    await other.kill();
    const left = await leftOf(shop);
    shop.clock.advance(2 * MINUTE);
    const first = await CONTINUE[flow](customer);

    expect([await lost, left]).toEqual([true, 1]);
    expect((await attemptStates(shop))[0]).toBe(first);
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(shop.control.ledger()).toHaveLength(1);
    expect([await stockOf(shop), await leftOf(shop)]).toEqual([1, 1]);
    expect(await violationsOf(shop)).toEqual([]);
  },
);
