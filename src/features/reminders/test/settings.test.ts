import { expect, test } from '@jest/globals';
import { readSettings } from '../../../config/settings.js';

test.each([
  ['0', '7'],
  ['73', '7'],
  ['1.5', '7'],
  // Not before the order can no longer be paid.
  ['24', '1'],
])('a reminder after %j hours of an order that can be paid for %j days is refused', (hours, days) => {
  const read = readSettings({ REMINDER_HOURS: hours, ORDER_PAYABLE_DAYS: days });

  expect(read).toMatchObject({ problems: [expect.stringMatching(/^REMINDER_HOURS: /)] });
});
