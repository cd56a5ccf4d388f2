/** With all features, each name that the core knows is used. */
import { expect, test } from '@jest/globals';
import { jobNames } from '../../packages/payments/src/process-outbox.js';
import { permissionsOf } from '../../src/admin/permissions.js';
import { createApp } from '../../src/app.js';
import { FEATURES } from '../../src/features/index.js';
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

test('core and features have every route of the permissions', () => {
  const routes = createApp(context.web).router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => `${method?.toUpperCase()} ${route?.path}`),
  );

  expect(Object.keys(permissionsOf(FEATURES)).filter((each) => !routes.includes(each))).toEqual([]);
});
