/** The link of an order in a shop that the merchant closed until a day. */
import { expect, test } from '@jest/globals';
import { HOUR } from '../../../../test/checkout/support.js';
import { Customer, payer } from '../../../../test/support/customer.js';
import { allAttempts, theOrder } from '../../../../test/support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { addDays, dayOf, startOfDay } from '../../../shop/rules/mexico-day.js';

const shop = await openSharedShop();

test('case 198: the link of an order without an open page starts no payment until the shop opens', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  const { token } = await theOrder(shop);
  const path = `/orders/${token}/pay`;
  const person = new Customer(shop);
  const pay = () => person.post(`${path}/hosted`, payer);
  const until = addDays(dayOf(shop.clock.now()), 3);
  await storeSettings(shop.queries, { closing: { until, texts: {} } });
  const refused = await pay();

  expect(refused.text).toContain('data-state="closed"');
  expect(await allAttempts(shop)).toHaveLength(1);
  const wait = startOfDay(until) - shop.clock.now() + HOUR;
  shop.clock.advance(wait);
  shop.control.advanceClock(wait);
  expect((await person.get(path)).text).toContain('data-state="open"');
  expect((await pay()).status).toBe(302);
});

test('case 198: the link of an order with an open page offers no card', async () => {
  const { orderPath } = await openHostedPage(shop);
  const until = addDays(dayOf(shop.clock.now()), 3);
  await storeSettings(shop.queries, { closing: { until, texts: {} } });
  shop.clock.advance(1_000);
  const { text } = await new Customer(shop).get(`${orderPath}/pay`);

  expect(text).toContain('data-state="open"');
  expect(text).not.toContain('/pay/card');
});
