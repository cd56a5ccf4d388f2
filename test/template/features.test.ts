/** With all features, each name that the core knows is used. */
import { expect, test } from '@jest/globals';
import { PERMISSIONS } from '../../src/admin/permissions.js';
import { createApp } from '../../src/app.js';
import { JOB_NAMES } from '../../src/db/schema.js';
import { jobNames } from '../../src/payments/process-outbox.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { checkout, context } = shop;

test('core and features run every outbox job', () => {
  expect(jobNames(checkout).toSorted()).toEqual(JOB_NAMES.toSorted());
});

test('core and features have every route of the permissions', () => {
  const routes = createApp(context.web).router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => `${method?.toUpperCase()} ${route?.path}`),
  );

  expect(Object.keys(PERMISSIONS).filter((each) => !routes.includes(each))).toEqual([]);
});
