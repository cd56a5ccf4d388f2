/** Limits of access tokens for the tokenizer, over HTTP. */

import { expect, test } from '@jest/globals';
import { cartAt, customerAt } from '../../../../../test/support/addresses.js';
import { inParallel, numbers } from '../../../../../test/support/crowd.js';
import type { Customer } from '../../../../../test/support/customer.js';
import { openWithFreshLimits } from '../../../../../test/support/fresh-limits.js';
import { theOrder } from '../../../../../test/support/inspect.js';
import { browserAt, expectLimited, LIMIT_SENTENCES, repeat } from '../../../../../test/support/limit-sentences.js';
import { CARDS, payByCard } from '../../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
const CHECKOUT = '/checkout/card/access-token';

const sentCalls = () => shop.control.calls('tokenization-auth').length;

/** Places an order whose card is declined. Returns the path of the tokens for its link. */
async function openLink(customer: Customer): Promise<string> {
  await payByCard(shop, customer, CARDS.declined);
  return `/orders/${(await theOrder(shop)).token}/pay/card/access-token`;
}

test('access tokens for a payment link that 21 networks ask for are no tokens of its customer, of other links or of the checkout', async () => {
  await using door = await openWithFreshLimits(shop);
  const customer = await cartAt('203.0.113.2', door);
  const path = await openLink(customer);
  await inParallel(numbers(21), 10, (network) => customerAt(`192.0.2.${network}`, door).post(path, {}));
  const before = sentCalls();

  const stranger = await customerAt('203.0.113.3', door).post(path, {});
  const own = await customer.post(path, {});
  const other = await (await cartAt('203.0.113.4', door)).post(CHECKOUT, {});

  expect([stranger.status, own.status, other.status]).toEqual([429, 200, 200]);
  expect(sentCalls() - before).toBe(2);
});

test.each(LIMIT_SENTENCES)(
  'the limit of a payment link answers with one sentence and the seconds to wait, in %s',
  async (locale, sentence) => {
    const link = browserAt('203.0.113.202', shop, locale);
    await link.add();
    await link.payHosted();
    const { token } = await theOrder(shop);
    const tokens = () => shop.control.tokenizeCard(CARDS.declined);

    const answer = await repeat(5, () => link.post(`/orders/${token}/pay/card`, { ...tokens(), pay_again: '1' }));

    expectLimited(answer, sentence);
  },
);
