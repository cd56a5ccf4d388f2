/** Detects test and live environments of the gateway from host names and keys. */

const TEST_HOST = /(?:^|[.-])(?:stage|staging|sandbox|test)(?:[.-]|$)/i;
const TEST_KEY = /(?:^|[^a-z0-9])(?:stage|staging|sandbox|test)(?:[^a-z0-9]|$)/i;
const LIVE_KEY = /(?:^|[^a-z0-9])(?:live|prod|production)(?:[^a-z0-9]|$)/i;

export function isTestHost(host: string): boolean {
  return TEST_HOST.test(host);
}

/** Returns the environment that a key names; `unknown` if it names none. */
export function kindOfKey(key: string): 'test' | 'live' | 'unknown' {
  if (TEST_KEY.test(key)) return 'test';
  return LIVE_KEY.test(key) ? 'live' : 'unknown';
}
