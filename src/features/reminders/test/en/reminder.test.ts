import { expect, test } from '@jest/globals';
import { DAY } from '../../../../../test/checkout/support.js';
import { receiveMails } from '../../../../../test/support/mailbox.js';
import { openHostedPage } from '../../../../../test/support/purchase.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { processReminders } from '../../send-reminder.js';

const shop = await openFileShop({ env: { REMINDER_HOURS: '24' } });

test('the reminder of an order in English is in English', async () => {
  await openHostedPage(shop);
  await shop.queries.updateTable('orders').set({ locale: 'en' }).execute();
  shop.clock.advance(DAY);

  await processReminders(shop.checkout);
  const mails = await receiveMails(shop);

  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('We received no payment')]);
});
