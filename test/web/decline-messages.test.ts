/** What a customer reads after a decline, and what is never shown. */
import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const GENERAL = 'El banco rechazó este pago.';

const declinedWith402 = (code: string, decline_code?: string): Fault => ({
  kind: 'status',
  status: 402,
  body: { error: { code, message: 'Declined', type: 'request_error', details: { decline_code } } },
});

/** Pays with a card that is declined, and returns the paragraphs of the order's page. */
async function declinedPage(shop: TestShop, customer: Customer): Promise<readonly string[]> {
  const answer = await payByCard(shop, customer, CARDS.declined);
  const { text } = await customer.get(answer.headers['location'] ?? '');
  expect(readOrderPage(text).state).toBe('declined');
  expect(text).toContain('href="/checkout"');
  return paragraphsOf(text);
}

function paragraphsOf(html: string): readonly string[] {
  const [head = ''] = html.split('<dl class="facts">', 1);
  return [...head.matchAll(/<p>([^<]*)<\/p>/g)].map(([, text = '']) => text);
}

describe('a decline', () => {
  test.each([
    ['CH01', 'La tarjeta no tiene fondos suficientes.'],
    ['AH02', 'El código de seguridad (CVV) no corresponde a la tarjeta.'],
  ])('with the code %s in the lookup is explained: %s', async (code, message) => {
    await using shop = await openTestShop({ profile: 'public-docs' });
    shop.simulator.control.fault('read-transaction', { kind: 'rewrite', set: { decline_code: code } });

    const paragraphs = await declinedPage(shop, await Customer.withCart(shop));

    expect(paragraphs[0]).toBe(GENERAL);
    expect(paragraphs[1]).toContain(message);
  });

  test.each([
    [undefined, 'insufficient_funds', 'La tarjeta no tiene fondos suficientes.'],
    ['AH02', 'card_declined', 'El código de seguridad (CVV) no corresponde a la tarjeta.'],
  ])('with HTTP 402, the code %s and the error %s is explained: %s', async (code, error, message) => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('process', declinedWith402(error, code), 1);

    const paragraphs = await declinedPage(shop, await Customer.withCart(shop));

    expect(paragraphs[0]).toBe(GENERAL);
    expect(paragraphs[1]).toContain(message);
  });

  test.each(['AH05', 'BH01', 'constructor'])(
    'with the code %s gets the general message only, and the merchant reads the code',
    async (code) => {
      await using shop = await openTestShop({ profile: 'public-docs' });
      const customer = await Customer.withCart(shop);
      const set = { decline_code: code, decline_reason: 'Suspected fraud' };
      for (const call of ['process', 'read-transaction'] as const)
        shop.simulator.control.fault(call, { kind: 'rewrite', set });
      const plain = await openTestShop({ profile: 'interface' });
      const general = await declinedPage(plain, await Customer.withCart(plain));
      await plain[Symbol.asyncDispose]();

      expect(await declinedPage(shop, customer)).toEqual(general);
      const { token } = await theOrder(shop);
      expect((await customer.get(`/orders/${token}`)).text).not.toMatch(new RegExp(`${code}|fraud`, 'i'));
      const [attempt] = await shop.context.checkout.db.queries
        .selectFrom('attempts')
        .select('gatewayStatus')
        .execute();
      expect(attempt?.gatewayStatus).toBe(/^[A-Z][HS]\d\d$/.test(code) ? `Declined/${code}` : 'Declined');
    },
  );

  test('with a code in the answer to the payment only is explained too', async () => {
    await using shop = await openTestShop({ profile: 'interface' });
    shop.simulator.control.fault('process', { kind: 'rewrite', set: { decline_code: 'CH01' } }, 1);

    const paragraphs = await declinedPage(shop, await Customer.withCart(shop));

    expect(paragraphs[1]).toContain('La tarjeta no tiene fondos suficientes.');
  });

  test('is explained to the customer who paid and to no one else who has the link', async () => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('process', declinedWith402('insufficient_funds'), 1);
    await declinedPage(shop, await Customer.withCart(shop));

    const { token } = await theOrder(shop);
    const stranger = await new Customer(shop).get(`/orders/${token}`);

    expect(paragraphsOf(stranger.text)[0]).toBe(GENERAL);
    expect(stranger.text).not.toContain('fondos');
  });

  test('in English is explained in English', async () => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('process', declinedWith402('insufficient_funds'), 1);
    const customer = await Customer.withCart(shop);
    customer.agent.set('Accept-Language', 'en');

    const paragraphs = await declinedPage(shop, customer);

    expect(paragraphs[0]).toBe('The bank declined this payment.');
    expect(paragraphs[1]).toContain('The card does not have enough funds.');
  });

  test('that is followed by one without a reason is no longer explained', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('process', declinedWith402('insufficient_funds'), 1);
    shop.simulator.control.fault('process', declinedWith402('card_declined'), 1);

    const first = await declinedPage(shop, customer);
    const second = await declinedPage(shop, customer);

    expect(first.join()).toContain('fondos');
    expect(second.join()).not.toContain('fondos');
  });
});
