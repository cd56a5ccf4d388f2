import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../../test/support/admin.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';

const shop = await openFileShop();

test('the choice of a locale at the list of invoices returns to its state and its RFC', async () => {
  const merchant = await openBackOffice(shop);

  const { text } = await merchant.get('/admin/invoices?state=issued&rfc=XAXX010101000');

  expect(text).toMatch(/name="back" value="\/admin\/invoices\?(?=[^"]*state=issued)(?=[^"]*rfc=XAXX010101000)/);
});
