import { afterEach } from '@jest/globals';
import { processorCards, testCards } from '@tianguis/gateway-tools';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';

/** Origins of the shop and its gateway. */
interface Addresses {
  readonly url: string;
  readonly simulator: { readonly url: string };
}

/**
 * A customer's browser with its own cookies. It records console errors, page errors, CSP violations and
 * forbidden requests.
 */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** All requests of the browser, as `METHOD URL`. */
  readonly sent: readonly string[];
  /** Expects a problem that matches `pattern`. The test fails if it does not occur. */
  expectTrouble(pattern: RegExp): void;
  /** Ignores a problem that matches `pattern`, which may or may not occur because of a race. */
  allowTrouble(pattern: RegExp): void;
}

const TIMEOUT_MS = 30_000;
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.effectiveDirective + ' blocked ' + event.blockedURI + ' on ' + event.documentURI);
});`;

/** Returns the browser of the test run. Defined in `browser-environment.js`. */
declare const connectBrowser: () => Promise<Browser>;

const visits: Visit[] = [];
const unexpected: string[] = [];
afterEach(async () => {
  for (const visit of visits.splice(0)) await visit[Symbol.asyncDispose]();
  const found = unexpected.splice(0);
  // Thrown here and not at disposal, so that the failure of the test itself is reported too.
  if (found.length > 0) throw new Error(`In the browser:\n  ${found.join('\n  ')}`);
});

/**
 * Opens an empty page with the shop's base URL. It closes at the end of the test, or before with `await using`. Any
 * unexpected problem fails the test.
 */
export async function openVisit(shop: Addresses, options: BrowserContextOptions = {}): Promise<Visit> {
  const browser = await connectBrowser();
  // Without transitions, because Chromium reports an error if one cannot start, as without a cache.
  const defaults = { baseURL: shop.url, locale: 'es-MX', reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...defaults, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const problems: string[] = [];
  const sent: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];
  await recordProblems(context, problems);
  context.on('request', (request) => {
    sent.push(`${request.method()} ${request.url()}`);
    problems.push(...forbiddenRequests(request, shop));
  });
  const close = async () => {
    // Waits for pending reports: each page delivers them before it answers this call.
    await Promise.all(context.pages().map((page) => page.evaluate('0').catch(() => undefined)));
    await context.close();
    unexpected.push(
      ...problems.filter((problem) => ![...expected, ...allowed].some((pattern) => pattern.test(problem))),
      ...expected
        .filter((pattern) => !problems.some((problem) => pattern.test(problem)))
        .map((pattern) => `expected problem did not occur: ${pattern}`),
    );
  };
  let closed: Promise<void> | undefined;
  const visit: Visit = {
    page: await context.newPage(),
    context,
    sent,
    expectTrouble: (pattern) => expected.push(pattern),
    allowTrouble: (pattern) => allowed.push(pattern),
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
  visits.push(visit);
  return visit;
}

async function recordProblems(context: BrowserContext, problems: string[]): Promise<void> {
  context.on('console', (message) => {
    const type = message.type();
    if (type !== 'error' && type !== 'warning') return;
    problems.push(`console ${type}: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => problems.push(`page error: ${error.error().message}`));
  await context.exposeBinding('reportViolation', (_source, text: string) => {
    problems.push(`policy: ${text}`);
  });
  await context.addInitScript(REPORT_VIOLATIONS);
}

const CARD_NUMBERS = [...testCards, ...processorCards].map(({ number }) => number);
const CARD_FIELDS = ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'];
/** Format of the simulator's tokens. */
const TOKEN = /^(?:(?:\d{4}-){3,4}\d{1,4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns forbidden requests: to other origins, or to the shop with card data. */
function forbiddenRequests(request: Request, shop: Addresses): readonly string[] {
  const url = new URL(request.url());
  if (!url.protocol.startsWith('http')) return [];
  if (url.origin === shop.simulator.url) return [];
  if (url.origin !== shop.url) return [`request to another origin: ${url.href}`];
  const posted = request.postData() ?? '';
  const digits = decodeURIComponent(`${url.href} ${posted}`).replace(/[\s+]/g, '');
  const fields = new URLSearchParams(posted);
  return [
    ...CARD_NUMBERS.filter((number) => digits.includes(number)).map(() => `card number sent to ${url.href}`),
    ...CARD_FIELDS.filter((name) => !TOKEN.test(fields.get(name) || EMPTY_FIELD)).map(
      (name) => `${name} sent to ${url.href} as it was typed`,
    ),
  ];
}

/** Used for empty or absent fields, which contain no card data. */
const EMPTY_FIELD = '0000-0000-0000-0000';
