/** Which of the service's environments an address or a key belongs to, as far as its words say so. */

const TEST_HOST = /(?:^|[.-])(?:stage|staging|sandbox|test)(?:[.-]|$)/i;
const TEST_KEY = /(?:^|[^a-z0-9])(?:stage|staging|sandbox|test)(?:[^a-z0-9]|$)/i;
const LIVE_KEY = /(?:^|[^a-z0-9])(?:live|prod|production)(?:[^a-z0-9]|$)/i;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host's name says that it belongs to a test environment. */
export function isTestHost(host: string): boolean {
  return TEST_HOST.test(host);
}

/** Whether a host's name is this very machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(host);
}

/** What a key calls itself; many call themselves nothing. */
export function kindOfKey(key: string): 'test' | 'live' | 'unknown' {
  if (TEST_KEY.test(key)) return 'test';
  return LIVE_KEY.test(key) ? 'live' : 'unknown';
}
