/** The gateway to test, read from the shop's settings. Only a test environment with a test key is allowed. */

import { isLoopbackHost, isTestHost, kindOfKey } from '@tianguis/payments/rules';
import type { z } from 'zod';
import { type Environment, settingsSchema } from '../../src/config/settings.js';

export type Target = z.infer<typeof targetSchema>;

const { shape } = settingsSchema;

const testAddress = shape.CHECKOUT_API_URL.unwrap().refine(
  isTestUrl,
  'does not name a test environment (stage, staging, sandbox, test) or this machine',
);

const targetSchema = settingsSchema
  .pick({ CHECKOUT_PAGE_ORIGINS: true, PAYMENTS_SIGNING_SECRET: true, PAYMENTS_SIGNING_TEXT: true })
  .extend({
    NODE_ENV: shape.NODE_ENV.refine(
      (mode) => mode !== 'production',
      'is production; tests never use the settings of a production shop',
    ),
    PAYMENTS_BASE_URL: testAddress,
    CHECKOUT_API_URL: testAddress,
    PAYMENTS_API_KEY: shape.PAYMENTS_API_KEY.unwrap().refine(
      (key) => kindOfKey(key) !== 'live',
      'is a live key; tests never use live keys',
    ),
    TOKENIZER_URL: testAddress.optional(),
  });

function isTestUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return isTestHost(hostname) || isLoopbackHost(hostname);
}

/** Reads the target. An empty value counts as absent. Throws an error with all problems, which contain no value. */
export function readTarget(environment: Environment): Target {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { data, error } = targetSchema.safeParse(given, {
    error: ({ input }) => (input === undefined ? 'is not set' : undefined),
  });
  if (data) return data;
  const problems = error.issues.map(({ path: [name], message }) => `  - ${String(name)} ${message}\n`);
  throw new Error(
    `The gateway is not tested:\n${problems.join('')}Set the addresses of the gateway’s test environment and a test key, in the environment or in .env.`,
  );
}
