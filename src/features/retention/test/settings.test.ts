import { expect, test } from '@jest/globals';
import { readSettings } from '../../../config/settings.js';

test.each([
  ['29', '7'],
  ['never', '7'],
  // A payment of the last day is watched for 9 days.
  ['30', '22'],
])('a retention of %j days for orders that can be paid for %j days is refused', (days, payable) => {
  const read = readSettings({ PII_RETENTION_DAYS: days, ORDER_PAYABLE_DAYS: payable });

  expect(read).toMatchObject({ problems: [expect.stringMatching(/^PII_RETENTION_DAYS: /)] });
});

test('a retention that outlasts the last payment by 9 days is accepted', () => {
  expect(readSettings({ PII_RETENTION_DAYS: '30', ORDER_PAYABLE_DAYS: '21' })).toMatchObject({ ok: true });
});
