import { expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { attemptStates, MINUTE, orderPath, reconcileAll } from './support.js';

const PAY_AGAIN = { ...contact, pay_again: '1' };
const WARNING = 'El banco todavía tiene abierto un pago anterior';

/** Sends a customer to the bank's page, which the customer never completes. */
async function abandonBankPage(shop: TestShop): Promise<Customer> {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.challenged);
  return customer;
}

test('nine minutes after a 3D Secure redirect, another payment may be started after a warning', async () => {
  await using shop = await openTestShop();
  const customer = await abandonBankPage(shop);
  const path = await orderPath(shop);

  const early = await customer.get(path);
  shop.clock.advance(9 * MINUTE);
  const late = await customer.get(path);
  const form = await customer.get('/checkout?pay_again=1');
  const unconfirmed = await customer.payHosted();
  const confirmed = await customer.payHosted(PAY_AGAIN);
  const after = await customer.get(path);

  expect(early.text).not.toContain('pay_again');
  expect(late.text).toContain('href="/checkout?pay_again=1"');
  expect(form.text).toContain('<input type="hidden" name="pay_again" value="1">');
  for (const page of [late, form, after]) expect(page.text).toContain(WARNING);
  expect(unconfirmed.headers['location']).toBe(path);
  expect(confirmed.status).toBe(302);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('an abandoned 3D Secure payment that the bank approves later is a second payment under review', async () => {
  await using shop = await openTestShop();
  const customer = await abandonBankPage(shop);
  shop.clock.advance(9 * MINUTE);
  await customer.payHosted(PAY_AGAIN);
  const [bank, hosted] = await allAttempts(shop);

  shop.simulator.control.paySession(hosted?.gatewayId ?? '');
  shop.simulator.control.approve(bank?.gatewayId ?? '');
  shop.clock.advance(MINUTE);
  await reconcileAll(shop.context.checkout);

  expect(await attemptStates(shop)).toEqual(['paid', 'paid']);
  expect(await theOrder(shop)).toMatchObject({ reviewReason: 'second_payment' });
});

test('an abandoned 3D Secure page can be replaced by another payment once per order', async () => {
  await using shop = await openTestShop();
  const customer = await abandonBankPage(shop);
  shop.clock.advance(9 * MINUTE);
  const tokens = shop.simulator.control.tokenizeCard(CARDS.challenged);
  await customer.post('/checkout/card', { ...PAY_AGAIN, ...tokens });

  shop.clock.advance(9 * MINUTE);
  const again = await customer.payHosted(PAY_AGAIN);

  expect(again.status).toBe(303);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

const UNSAFE: readonly Fault[] = [
  { kind: 'rewrite', set: { status: 'processing' } },
  { kind: 'status', status: 503 },
];

test.each(UNSAFE)(
  'no second payment starts while the lookup of a 3D Secure payment gets %j',
  async (fault) => {
    await using shop = await openTestShop();
    const customer = await abandonBankPage(shop);
    shop.clock.advance(9 * MINUTE);
    await customer.get(await orderPath(shop));
    shop.simulator.control.fault('read-transaction', fault);

    const again = await customer.payHosted(PAY_AGAIN);

    expect(again.status).toBe(303);
    expect(await allAttempts(shop)).toHaveLength(1);
  },
);

test('no second payment starts after a browser returned from the 3D Secure page', async () => {
  await using shop = await openTestShop();
  const customer = await abandonBankPage(shop);
  const { token } = await theOrder(shop);
  await new Customer(shop).get(`/checkout/return/${token}`);
  shop.clock.advance(9 * MINUTE);

  const page = await customer.get(`/orders/${token}`);
  const again = await customer.payHosted(PAY_AGAIN);

  expect(page.text).not.toContain('pay_again');
  expect(again.status).toBe(303);
  expect(await attemptStates(shop)).toEqual(['open']);
});
