import { expect, test } from '@jest/globals';
import { parseConfig } from '../../../config/config.js';
import { readSettings } from '../../../config/settings.js';

test.each([
  ['off', undefined],
  ['0', 0],
])('the deadline %j for invoice requests is read as %j months', (value, months) => {
  const read = parseConfig({ INVOICE_REQUEST_MONTHS: value });

  expect(read).toMatchObject({ config: { invoiceMonths: months } });
});

test.each(['13', '-1', '1.5', 'never'])('the deadline %j is refused', (value) => {
  const read = readSettings({ INVOICE_REQUEST_MONTHS: value });

  expect(read).toMatchObject({ problems: [expect.stringMatching(/^INVOICE_REQUEST_MONTHS: /)] });
});
