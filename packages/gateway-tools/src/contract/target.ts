/** The gateway to test, read from the shop's settings. Only a test environment with a test key is allowed. */
import { z } from 'zod';

export type Target = z.infer<typeof targetSchema>;

const TEST_HOST = /(?:^|[.-])(?:stage|staging|sandbox|test)(?:[.-]|$)/i;
const TEST_KEY = /(?:^|[^a-z0-9])(?:stage|staging|sandbox|test)(?:[^a-z0-9]|$)/i;
const LIVE_KEY = /(?:^|[^a-z0-9])(?:live|prod|production)(?:[^a-z0-9]|$)/i;

export function isLoopbackHost(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

const httpUrl = z
  .string()
  .refine((value) => /^https?:/i.test(value) && !/\s/.test(value) && URL.canParse(value), {
    error: 'must be an http(s) address',
    abort: true,
  })
  .refine((value) => {
    const { username, password } = new URL(value);
    return username + password === '';
  }, 'must not hold a user or password')
  .transform((value) => value.replace(/\/+$/, ''));

const origin = httpUrl.refine((value) => new URL(value).origin === value, {
  error: ({ input }) => {
    const { origin, pathname, search, hash } = new URL(String(input));
    const isOrigin = pathname === '/' && search + hash === '' && !/[/?#]$/.test(String(input));
    return isOrigin
      ? `must be written as browsers send it: ${origin}`
      : 'must be an origin only: scheme, host and port, without a path';
  },
});

const testAddress = httpUrl.refine((value) => {
  const { hostname } = new URL(value);
  return TEST_HOST.test(hostname) || isLoopbackHost(hostname);
}, 'does not name a test environment (stage, staging, sandbox, test) or this machine');

const targetSchema = z.object({
  CHECKOUT_PAGE_ORIGINS: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(origin))
    .optional(),
  PAYMENTS_SIGNING_SECRET: z.string().min(8).optional(),
  PAYMENTS_SIGNING_TEXT: z.enum(['ascii', 'utf8']).default('ascii'),
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .refine((mode) => mode !== 'production', 'is production; tests never use the settings of a production shop'),
  PAYMENTS_BASE_URL: testAddress,
  CHECKOUT_API_URL: testAddress,
  PAYMENTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'must be 8 or more printable characters without blanks')
    .refine((key) => TEST_KEY.test(key) || !LIVE_KEY.test(key), 'is a live key; tests never use live keys'),
  TOKENIZER_URL: testAddress.optional(),
});

/** Reads the target. An empty value counts as absent. Throws an error with all problems, which contain no value. */
export function readTarget(environment: Readonly<Record<string, string | undefined>>): Target {
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
