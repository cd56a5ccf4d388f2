/** The settings, with their names as in the README. */
import { randomBytes } from 'node:crypto';
import { readPaymentSettings } from '@tianguis/payments';
import type { SessionOptions } from 'express-session';

/** Set a store of a package here, such as `connect-pg-simple`. Production refuses the memory of one process. */
const store: SessionOptions['store'] = undefined;

export type Settings = ReturnType<typeof readSettings>;
/** Prints all problems by the name of the setting, and exits with code 1. */
export function readSettings(environment: NodeJS.ProcessEnv) {
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { TRUST_PROXY = '0', DATABASE_URL: databaseUrl = 'file:./data/example.db', PORT = '3000' } = env;
  const production = env['NODE_ENV'] === 'production';
  const isSecure = env['PUBLIC_URL']?.startsWith('https:') ?? false;
  const proxies = production || isSecure ? /^[1-9]$/ : /^\d$/;
  const secret = env['SESSION_SECRET'] ?? (production ? '' : randomBytes(32).toString('base64'));
  const payments = readPaymentSettings(env);
  const problems = [
    payments.ok ? [] : payments.problems,
    Buffer.byteLength(secret) < 32 ? 'SESSION_SECRET: must have 32 bytes at least: openssl rand -base64 48' : [],
    proxies.test(TRUST_PROXY) ? [] : 'TRUST_PROXY: must be the number of your proxies, and https ends at one',
    production && !store ? 'session store: is needed in production, see examples/minimal/settings.ts' : [],
  ].flat();
  if (!payments.ok || problems.length > 0) {
    console.error(['The example cannot start with these settings:', ...problems].join('\n  - '));
    process.exit(1);
  }
  const cookie = { sameSite: 'lax', secure: isSecure } as const;
  const session = { secret, store, cookie, resave: false, saveUninitialized: false };
  const numbers = { port: Number(PORT), trustProxy: Number(TRUST_PROXY) };
  return { ...payments, ...numbers, host: env['HOST'] ?? '127.0.0.1', isSecure, session, databaseUrl };
}
