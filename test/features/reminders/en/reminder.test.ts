import { expect, test } from '@jest/globals';
import { processReminders } from '../../../../src/features/reminders/send-reminder.js';
import { DAY } from '../../../checkout/support.js';
import { receiveMails } from '../../../support/mailbox.js';
import { openHostedPage } from '../../../support/purchase.js';
import { openFileShop } from '../../../support/shared-shop.js';

const shop = await openFileShop({ env: { REMINDER_HOURS: '24' } });

test('the reminder of an order in English is in English', async () => {
  await openHostedPage(shop);
  await shop.queries.updateTable('orders').set({ locale: 'en' }).execute();
  shop.clock.advance(DAY);

  await processReminders(shop.checkout);
  const mails = await receiveMails(shop);

  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('We received no payment')]);
});
