import { test } from '@jest/globals';
import { storeWebhook } from '@tianguis/payments/testing';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met on a phone by the list of payments without an order, with the answer of a lookup', async () => {
  const body = JSON.stringify({ id: `cs_${'f'.repeat(60)}`, metadata: { order_number: 'TG-2222-3333' } });
  await storeWebhook(shop.queries, { hash: 'x', body, event: 'session.completed', at: shop.clock.now() });
  await shop.queries.updateTable('inbox').set({ state: 'unmatched' }).execute();
  const { page } = await openVisit(shop, PHONE);

  await signIn(page);
  await page.goto(`${shop.url}/admin/reconciliation`);
  await page.getByTestId('unmatched-payments').getByRole('button').click();
  await page.getByTestId('lookup-answer').waitFor();

  await expectAccessible(page);
});
