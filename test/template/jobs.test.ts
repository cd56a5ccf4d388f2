import { expect, test } from '@jest/globals';
import { jobNames } from '../../src/checkout/process-outbox.js';
import { JOB_NAMES } from '../../src/db/schema.js';
import { openFileShop } from '../support/shared-shop.js';

const { checkout } = await openFileShop();

test('core and features run every outbox job', () => {
  expect(jobNames(checkout).toSorted()).toEqual(JOB_NAMES.toSorted());
});
