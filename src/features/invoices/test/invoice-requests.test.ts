import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import { processOutbox } from '@tianguis/payments/testing';
import { changeCheckout } from '../../../../test/support/change-checkout.js';
import { Customer } from '../../../../test/support/customer.js';
import { dumpDatabase, theOrder } from '../../../../test/support/inspect.js';
import { payByCard } from '../../../../test/support/purchase.js';
import { attemptOf, record } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import type { CheckoutContext } from '../../../shop/checkout-context.js';
import { erasePersonalData } from '../../../tables/personal-data.js';
import { invoiceHook } from '../invoice-jobs.js';
import type { InvoiceRequestedOrder } from '../on-invoice-requested.js';
import { findInvoiceRequest } from '../repository.js';
import { requestInvoice } from '../request-invoice.js';
import { invoiceReceiver as data } from './invoice-form.js';

const shop = await openSharedShop({ env: { REFUND_PARTIAL: 'on' } });
const { checkout, queries } = shop;
const sender = { isOwn: true, link: '' };
const corrected = { ...data, postalCode: '68050' };

async function openPaid(config: Partial<CheckoutContext['config']> = {}) {
  await payByCard(shop, await Customer.withCart(shop));
  await processOutbox(checkout);
  const order = await theOrder(shop);
  return {
    order,
    request: (input = data) =>
      requestInvoice({ ...checkout, config: { ...checkout.config, ...config } }, order, input, sender),
  };
}

/** Runs the due hooks and returns their inputs. */
async function runHooks(fails = false): Promise<readonly InvoiceRequestedOrder[]> {
  const calls: InvoiceRequestedOrder[] = [];
  const onInvoiceRequested = async (requested: InvoiceRequestedOrder) => {
    calls.push(requested);
    if (fails) throw new Error('the invoicing service is down');
  };
  const jobs = { ...checkout.jobs, on_invoice_requested: invoiceHook(onInvoiceRequested) };
  await processOutbox(changeCheckout(checkout, { jobs }), ['on_invoice_requested']);
  return calls;
}

test('an invoice request runs the hook with lines and tax rates, a corrected one again with another key, and the same data changes nothing', async () => {
  const { order, request } = await openPaid();

  const outcomes = [await request()];
  const first = await runHooks();
  outcomes.push(await request(corrected));
  const second = await runHooks();
  const before = await dumpDatabase(shop);
  outcomes.push(await request(corrected));

  expect(outcomes).toEqual(['requested', 'corrected', 'unchanged']);
  const key = `on_invoice_requested:${order.id}`;
  const lines = [{ productId: 'taza-talavera', taxRate: '16' }];
  const { number } = order;
  expect(first).toMatchObject([{ key: `${key}:1`, order: { number }, lines, request: { ...data, version: 1 } }]);
  expect(second).toMatchObject([{ key: `${key}:2`, request: corrected }]);
  expect(await dumpDatabase(shop)).toBe(before);
  const history = await findHistory(queries, order.id);
  const events = history.filter(({ kind }) => kind.startsWith('invoice_'));
  expect(events).toMatchObject([
    { kind: 'invoice_requested', detail: '{}' },
    { kind: 'invoice_corrected', detail: '{}' },
  ]);
  const logged = shop.logged.join('');
  for (const value of [data.rfc, data.name, data.email]) expect(logged).not.toContain(value);
});

test('a hook that failed runs again with the same key, but not for data that was corrected meanwhile', async () => {
  const { request } = await openPaid();
  await request();

  const failed = await runHooks(true);
  shop.clock.advance(10_000);
  const repeated = await runHooks(true);
  await request(corrected);
  shop.clock.advance(60_000);
  const calls = await runHooks();

  expect(repeated).toEqual(failed);
  expect(calls).toMatchObject([{ request: { ...corrected, version: 2 } }]);
  expect(await runHooks()).toEqual([]);
});

test('case 210: the hook gets what is left of a partly refunded order, and does not run for a refunded one', async () => {
  const { order, request } = await openPaid();
  await request();
  const attempt = await attemptOf(shop, order);

  await record(shop, attempt, { amount: centavos(100_50) });
  const calls = await runHooks(true);
  await record(shop, attempt, { amount: centavos(188_50) });
  shop.clock.advance(10_000);

  expect(calls).toMatchObject([{ remainder: 18_850 }]);
  expect(await runHooks()).toEqual([]);
});

test('two simultaneous invoice requests of one order store one and run the hook once per version', async () => {
  const { order, request } = await openPaid();

  const outcomes = await Promise.all([request(), request(), request(corrected)]);

  const stored = await findInvoiceRequest(queries, order.id);
  const changes = outcomes.filter((outcome) => outcome !== 'unchanged');
  expect(stored?.version).toBe(changes.length);
  expect(await runHooks()).toHaveLength(1);
});

test('an erasure deletes the invoice request of its order alone, and the hook does not run', async () => {
  const { order, request } = await openPaid();
  await request();
  await checkout.db.transaction((inner) => erasePersonalData(inner, ['other']));
  const before = await findInvoiceRequest(queries, order.id);

  await checkout.db.transaction((inner) => erasePersonalData(inner, [order.id]));

  expect(before).toMatchObject(data);
  expect(await findInvoiceRequest(queries, order.id)).toBeUndefined();
  expect(await runHooks()).toEqual([]);
});
