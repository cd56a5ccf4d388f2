/** A page that is written in one locale stays as it is in the other. */
import { expect, test } from '@jest/globals';
import { openBackOffice, resultOf } from '../../../../../test/support/admin.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';

const shop = await openSharedShop();

test('a text in English is that of the English page only, also if it has no file', async () => {
  const merchant = await openBackOffice(shop);
  const current = () => shop.context.web.settings.current();
  const spanish = current().contentIn('es-MX').get('terms')?.text;
  const saved = await merchant.post('/admin/pages/en/terms', {
    action: 'save',
    version: '0',
    page_text: '# Our terms',
  });

  expect(resultOf(saved)).toBe('changed');
  expect(current().contentIn('en').get('terms')?.title).toBe('Our terms');
  expect(current().contentIn('es-MX').get('terms')?.text).toBe(spanish);
  expect((await merchant.get('/en/pages/terms')).text).toContain('<h1>Our terms</h1>');
});
