/** The explanation of a decline to the customer. */
import { afterEach, expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { Customer, readOrderPage } from '../support/customer.js';
import { allAttempts } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { control } = shop.simulator;
afterEach(() => {
  control.clearFaults();
  control.setProfile('interface');
});

const rewritten = (set: Readonly<Record<string, string>>): Fault => ({ kind: 'rewrite', set });

/** Pays with a card that is declined. Returns the order page and its explanation. */
async function decline(customer: Customer) {
  const answer = await payByCard(shop, customer, CARDS.declined);
  const path = answer.headers['location'] ?? '';
  const { text } = await customer.get(path);
  expect(readOrderPage(text).state).toBe('declined');
  expect(text).toMatch(/>Intentar otra vez</);
  return { text, paragraphs: paragraphsOf(text) };
}

function paragraphsOf(html: string): readonly string[] {
  const [head = ''] = html.split('<dl class="facts">', 1);
  return [...head.matchAll(/<p>([^<]*)<\/p>/g)].map(([, text = '']) => text);
}

test.each(['AH05', 'constructor'])('the code %s, which may mean fraud, is not explained', async (code) => {
  const general = await decline(await Customer.withCart(shop));
  control.setProfile('public-docs');
  const set = { decline_code: code, decline_reason: 'Suspected fraud' };
  for (const call of ['process', 'read-transaction'] as const) control.fault(call, rewritten(set));

  const { text, paragraphs } = await decline(await Customer.withCart(shop));

  expect(paragraphs).toEqual(general.paragraphs);
  expect(text).not.toMatch(new RegExp(`\\b${code}\\b|fraud`, 'i'));
  const shown = /^[A-Z][HS]\d\d$/.test(code) ? `Declined/${code}` : 'Declined';
  expect((await allAttempts(shop)).at(-1)?.gatewayStatus).toBe(shown);
});
