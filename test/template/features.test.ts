/** With all features, each name that the core knows is used. */
import { expect, test } from '@jest/globals';
import { jobNames } from '../../packages/payments/src/process-outbox.js';
import { adminRoutesOf } from '../../src/admin/admin-routes.js';
import { routeName } from '../../src/admin/permissions.js';
import { createApp } from '../../src/app.js';
import { MESSAGES } from '../../src/features/messages.js';
import { textsOf } from '../../src/locales/translations.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { checkout, context } = shop;

test('each outbox job has a name in the back office, and each name a job', () => {
  const { core, features } = MESSAGES['es-MX'];
  const named = [...textsOf(core, features).keys()].filter((key) => key.startsWith('jobs.'));

  expect(new Set(named)).toEqual(new Set(jobNames(checkout).map((job) => `jobs.${job}`)));
});

test('the back office has every route of its list', () => {
  const routes = createApp(context.web).router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => `${method?.toUpperCase()} ${route?.path}`),
  );

  const listed = adminRoutesOf(context.web).map(routeName);

  expect(listed.filter((each) => !routes.includes(each))).toEqual([]);
});
