/** A shop that the merchant closed until a day: no order is placed and no payment starts. Open pages may be paid. */
import { expect, test } from '@jest/globals';
import { findAttempts } from '@tianguis/payments/back-office';
import { dayOf } from '../../src/shop/rules/mexico-day.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { CARDS, openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { storeSettings } from '../support/shop-settings.js';
import { DAY } from './support.js';

const shop = await openSharedShop();

/** Closes the shop in another process for three days. This process has not read it yet. */
async function closeShop(): Promise<string> {
  const until = dayOf(shop.clock.now() + 3 * DAY);
  await storeSettings(shop.queries, { closing: { until, texts: { 'es-MX': 'Nos vamos de <feria>.' } } });
  return until;
}

test('case 198: no order is placed in either flow, also by a process that has not read the closing, and the form keeps what was typed', async () => {
  const customer = await Customer.withCart(shop);
  await closeShop();
  const hosted = await customer.payHosted({ ...contact, first_name: 'Zoila' });
  const card = await payByCard(shop, customer, CARDS.paid, { ...contact, first_name: 'Zoila' });
  const page = await customer.get('/checkout');

  for (const answer of [hosted, card]) {
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Nos vamos de &lt;feria&gt;. Puedes comprar de nuevo desde el');
    expect(answer.text).toContain('value="Zoila"');
  }
  for (const { text } of [hosted, card, page]) expect(text).not.toMatch(/data-test="(?:pay-|choose-)/);
  expect([await allOrders(shop), shop.control.ledger()]).toEqual([[], []]);
});

test('case 198: an open page is shown again by the same form and paid, and another flow starts no payment', async () => {
  const opened = await openHostedPage(shop);
  await closeShop();
  const again = await opened.customer.payHosted(contact);
  const card = await payByCard(shop, opened.customer);

  expect([again.status, again.headers['location']]).toEqual([302, expect.stringContaining(opened.session)]);
  expect(card.status).toBe(409);
  expect((await opened.customer.get('/checkout')).text).toContain(`href="${opened.orderPath}" data-test="open-order"`);
  const attempts = await findAttempts(shop.queries, opened.orderId);
  expect(attempts).toHaveLength(1);
  await payAndReturn(shop, opened);
  expect(readOrderPage((await opened.customer.get(opened.orderPath)).text).state).toBe('paid');
});
