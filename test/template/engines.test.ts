/** A purchase in each browser engine. The results are in docs/internals/engines.md. */
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { until } from '../support/crowd.js';
import { contact } from '../support/customer.js';
import { openServer } from '../support/http.js';
import { allOrders } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { cards, cardTexts } from '../support/steps.js';
import { type Engine, isTried, openEngine } from './support/engines.js';
import type { EnginePage } from './support/webdriver.js';

const shop = await openSharedShop({ foreignGateway: true });

/** The outcome of `form-action 'self'` for a form whose answer redirects to the gateway. */
const FORM_ACTION_SELF = { chromium: 'blocked', firefox: 'allowed', webkit: 'blocked' } as const;
const ENGINES = Object.keys(FORM_ACTION_SELF) as Engine[];

const PRODUCT = '/products/taza-de-talavera';
const named = (name: string) => `[data-test="${name}"]`;
const PAID = `${named('order-state')}[data-state="paid"]`;

async function enter(page: EnginePage, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, text] of Object.entries(texts)) await page.fill(`#${id}`, text);
}

async function addToCart(page: EnginePage, url = shop.url): Promise<void> {
  await page.goto(`${url}${PRODUCT}`);
  await page.click(named('add-to-cart'));
  await page.waitForSelector(named('go-to-checkout'));
}

async function reachCheckout(page: EnginePage, url = shop.url): Promise<void> {
  await addToCart(page, url);
  await page.click(named('go-to-checkout'));
  await enter(page, contact);
}

async function submitHosted(page: EnginePage): Promise<string> {
  await page.click(named('pay-hosted'));
  await page.waitForSelector(named('pay'));
  return page.url();
}

async function submitCard(page: EnginePage): Promise<void> {
  await page.click(named('choose-card'));
  await enter(page, cardTexts(cards.challenged));
  await page.click(named('pay-card'));
}

async function approveWithPost(page: EnginePage): Promise<void> {
  await page.click(named('return-post'));
  await page.click(named('approve'));
}

/** Expects that the page shows the paid order with its personal data, and that the gateway charged once. */
async function expectPaidOnce(page: EnginePage): Promise<void> {
  await page.waitForSelector(PAID);
  expect(await page.textContent('main')).toContain(contact.email);
  expect(await page.textContent(named('cart-count'))).toBe('0');
  expect(await allOrders(shop)).toHaveLength(1);
  expect(shop.control.ledger()).toHaveLength(1);
}

const isAt = (page: EnginePage, url: string) => until(async () => (await page.url()) === url);

/** Goes back to a page that the browser may have stored, and expects the number of pieces in the cart on it. */
async function expectCountAfterBack(page: EnginePage, url: string, count: string): Promise<void> {
  await page.goBack();
  await isAt(page, url);
  await until(async () => (await page.textContent(named('cart-count'))) === count);
}

/** Opens the shop with `form-action 'self'` on all pages, as a proxy could set it. `reports` grows with each violation. */
async function openStrictShop() {
  const app = createApp(shop.context.web);
  const reports: string[] = [];
  const server = await openServer((req, res) => {
    if (req.url === '/reports') {
      void text(req).then((report) => reports.push(...(report.match(/"form-action\b/g) ?? [])));
      res.end();
      return;
    }
    // The shop accepts forms of its own origin only.
    if (req.headers.origin) req.headers.origin = shop.url;
    const setHeader = res.setHeader.bind(res);
    const strict = (policy: string) =>
      `${policy.replace(/form-action [^;]*/, "form-action 'self'")};report-uri /reports`;
    res.setHeader = (name, value) =>
      setHeader(name, name === 'Content-Security-Policy' ? strict(String(value)) : value);
    app(req, res);
  });
  return { ...server, simulator: shop.simulator, reports };
}

for (const engine of ENGINES) {
  const testIn = isTried(engine) ? test : test.skip;

  testIn(
    `in ${engine} Back from the hosted page leads to it again, and Back shows the true number in the cart`,
    async () => {
      await using browser = await openEngine(engine, shop);
      const { page } = browser;
      for (const count of ['1', '2']) {
        await addToCart(page);
        await expectCountAfterBack(page, `${shop.url}${PRODUCT}`, count);
      }
      await page.goto(`${shop.url}/checkout`);
      await enter(page, contact);
      const first = await submitHosted(page);
      await page.goBack();
      await until(async () => (await page.inputValue('#email')) === contact.email);
      expect(await submitHosted(page)).toBe(first);
      await page.click(named(`test-card-${cards.succeeds}`));
      await expectPaidOnce(page);

      await page.goBack();
      await page.waitForSelector(named('message'));
      await expectCountAfterBack(page, `${shop.url}/cart`, '0');
      expect(shop.control.sessions()).toHaveLength(1);
      expect(shop.control.ledger()).toHaveLength(1);
    },
  );

  testIn(
    `in ${engine} Back from the bank shows no card data, and the bank returns the customer by a cross-site POST to the paid order`,
    async () => {
      await using browser = await openEngine(engine, shop);
      const { page } = browser;
      await reachCheckout(page);
      await submitCard(page);
      await page.waitForSelector(named('approve'));
      const bank = await page.url();
      await page.goBack();
      for (const id of Object.keys(cardTexts(''))) expect([id, await page.inputValue(`#${id}`)]).toEqual([id, '']);
      await page.goto(bank);
      await approveWithPost(page);

      await expectPaidOnce(page);
      expect(shop.received.some((line) => line.startsWith('POST /checkout/return/'))).toBe(true);
    },
  );

  testIn(
    `in ${engine} without JavaScript a customer corrects the form, and pays after a decline and 3D Secure`,
    async () => {
      await using browser = await openEngine(engine, shop, { javaScriptEnabled: false, trouble: / 422 / });
      const { page } = browser;
      await reachCheckout(page);
      await page.click(named('choose-card'));
      // With JavaScript, this content is no element.
      await page.click('noscript button');
      await page.fill('#email', 'eva.ruiz');
      await page.click(named('pay-hosted'));
      await page.waitForSelector('#email-error');
      expect(await page.inputValue('#email')).toBe('eva.ruiz');
      await page.fill('#email', contact.email);
      await page.click(named('pay-hosted'));
      await page.click(named(`test-card-${cards.declined}`));
      await page.waitForSelector(named('message'));
      await page.click(named(`test-card-${cards.challenged}`));
      await approveWithPost(page);
      await page.click(named('continue'));

      await expectPaidOnce(page);
    },
  );

  testIn(`in ${engine} form-action 'self' has the outcome: ${FORM_ACTION_SELF[engine]}`, async () => {
    await using strict = await openStrictShop();
    await using browser = await openEngine(engine, strict, { trouble: /form-action/ });
    const { page } = browser;

    for (const submit of [(form: EnginePage) => form.click(named('pay-hosted')), submitCard]) {
      strict.reports.length = 0;
      await reachCheckout(page, strict.url);
      await submit(page);
      const hasLeft = async () => (await page.url()).startsWith(shop.simulator.url);
      await until(async () => strict.reports.length > 0 || (await hasLeft()));
      expect((await hasLeft()) ? 'allowed' : 'blocked').toBe(FORM_ACTION_SELF[engine]);
    }
    // The gateway knows both payments, also if the browser does not show their pages.
    expect([shop.control.sessions().length, shop.control.payments().length]).toEqual([1, 1]);
  });
}
