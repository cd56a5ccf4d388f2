import { afterAll, afterEach } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
  selectors,
} from 'playwright-core';
import { processorCards, testCards } from '../../src/simulator/test-cards.js';

/** Where the shop and its service are. */
interface Addresses {
  readonly url: string;
  readonly simulator: { readonly url: string };
}

/** A shopper's browser: nobody else's cookies, and nothing that goes wrong in it stays unseen. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every request that left the browser, as `METHOD address`. */
  readonly sent: readonly string[];
  /** Trouble that the test brings about: it must happen, and nothing else may. */
  expectTrouble(pattern: RegExp): void;
  /** Trouble that may come or not: a race decides. */
  allowTrouble(pattern: RegExp): void;
}

const LAUNCH_ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
];
const PATIENCE_MS = 30_000;
const VIOLATION_WATCH = `addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.effectiveDirective + ' blocked ' + event.blockedURI + ' on ' + event.documentURI);
});`;

let launched: Promise<Browser> | undefined;
const unexpected: string[] = [];

afterAll(async () => {
  const browser = await launched?.catch(() => undefined);
  launched = undefined;
  await browser?.close();
});

// After the test and not while closing a visit, so that what failed in the test itself is still told.
afterEach(() => {
  const troubles = unexpected.splice(0);
  if (troubles.length > 0) throw new Error(`In the browser:\n  ${troubles.join('\n  ')}`);
});

/** Opens an empty browser before the shop; `await using` closes it, and the test fails on any trouble it met. */
export async function openVisit(shop: Addresses, options: BrowserContextOptions = {}): Promise<Visit> {
  launched ??= launch();
  const browser = await launched;
  const context = await browser.newContext({ baseURL: shop.url, locale: 'es-MX', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const troubles: string[] = [];
  const sent: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];
  await watch(context, troubles);
  context.on('request', (request) => {
    sent.push(`${request.method()} ${request.url()}`);
    troubles.push(...leaks(request, shop));
  });
  return {
    page: await context.newPage(),
    context,
    sent,
    expectTrouble: (pattern) => expected.push(pattern),
    allowTrouble: (pattern) => allowed.push(pattern),
    async [Symbol.asyncDispose]() {
      // Whatever the pages still have to report comes before their answer to this.
      await Promise.all(context.pages().map((page) => page.evaluate('0').catch(() => undefined)));
      await context.close();
      unexpected.push(
        ...troubles.filter((trouble) => ![...expected, ...allowed].some((pattern) => pattern.test(trouble))),
        ...expected
          .filter((pattern) => !troubles.some((trouble) => pattern.test(trouble)))
          .map((pattern) => `expected trouble that did not come: ${pattern}`),
      );
    },
  };
}

async function launch(): Promise<Browser> {
  const { CHROMIUM_PATH: executablePath, CHROMIUM_PROBLEM: problem } = process.env;
  if (problem !== undefined || executablePath === undefined)
    throw new Error(problem ?? 'CHROMIUM_PATH is not set');
  selectors.setTestIdAttribute('data-test');
  // Without its sandbox, which neither root nor most containers have: it meets our own pages only.
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: LAUNCH_ARGS });
}

async function watch(context: BrowserContext, troubles: string[]): Promise<void> {
  context.on('console', (message) => {
    const type = message.type();
    if (type !== 'error' && type !== 'warning') return;
    troubles.push(`console ${type}: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => troubles.push(`page error: ${error.error().message}`));
  await context.exposeBinding('reportViolation', (_source, text: string) => {
    troubles.push(`policy: ${text}`);
  });
  await context.addInitScript(VIOLATION_WATCH);
}

const CARD_NUMBERS = [...testCards, ...processorCards].map(({ number }) => number);
const CARD_FIELDS = ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'];
/** What the simulator's tokens look like. */
const TOKEN = /^(?:\d{4}-\d{4}-\d{4}-\d{4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Requests that should not have been made: to strangers, or to the shop with card data in them. */
function leaks(request: Request, shop: Addresses): readonly string[] {
  const url = new URL(request.url());
  if (!url.protocol.startsWith('http')) return [];
  if (url.origin === shop.simulator.url) return [];
  if (url.origin !== shop.url) return [`request to a stranger: ${url.href}`];
  const posted = request.postData() ?? '';
  const digits = decodeURIComponent(`${url.href} ${posted}`).replace(/[\s+]/g, '');
  const fields = new URLSearchParams(posted);
  return [
    ...CARD_NUMBERS.filter((number) => digits.includes(number)).map(() => `card number sent to ${url.href}`),
    ...CARD_FIELDS.filter((name) => !TOKEN.test(fields.get(name) || TOKEN_STAND_IN)).map(
      (name) => `${name} sent to ${url.href} as it was typed`,
    ),
  ];
}

/** For fields that are empty or absent. */
const TOKEN_STAND_IN = '0000-0000-0000-0000';
