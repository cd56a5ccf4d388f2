/** docs/architecture.md lists the files that a request runs, by the functions that V8 counts during the request. */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { processInbox } from '../../packages/payments/src/process-inbox.js';
import { SHIPPED } from '../support/catalog.js';
import { address, Customer, contact, mugDelivery } from '../support/customer.js';
import { openPageOf } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { postWebhook, sessionCompleted } from '../support/webhooks.js';

const root = new URL('../..', import.meta.url);
const SOURCES = ['src', 'packages'];
const shop = await openFileShop({ env: { RATE_LIMIT: 'on' } });
const inspector = new Session();

beforeAll(async () => {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});

afterAll(() => inspector.disconnect());

/** Runs `work`, and returns its result and the names of the functions that ran meanwhile, by file. */
async function trace<T>(work: () => Promise<T>) {
  await inspector.post('Profiler.takePreciseCoverage');
  const value = await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const ran = new Map<string, ReadonlySet<string>>();
  for (const { url, functions } of result.filter(({ url }) =>
    SOURCES.some((folder) => url.startsWith(`${root.href}${folder}/`)),
  )) {
    const called = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
    if (called.length > 0)
      ran.set(url.slice(root.href.length), new Set(called.map(({ functionName }) => functionName)));
  }
  return { value, ran };
}

/** Files that decide. The others check each request, query, render or are rules. */
const DECIDING = /^(?:packages\/payments\/src(?:\/gateway)?|src\/(?:shop|flows\/\w+|web|web\/routes))\/[\w-]+\.ts$/;

/** Returns the deciding files in which two named functions ran that other pages do not run. */
function ownFiles(ran: ReadonlyMap<string, ReadonlySet<string>>, others: ReadonlyMap<string, ReadonlySet<string>>) {
  const own = (path: string, names: ReadonlySet<string>) =>
    [...names].filter((name) => name !== '' && !others.get(path)?.has(name));
  return [...ran].filter(([path, names]) => DECIDING.test(path) && own(path, names).length >= 2).map(([path]) => path);
}

/** Returns the files of the list below a heading that begins so. */
function listedBelow(heading: string): readonly string[] {
  const sections = readFileSync(new URL('docs/architecture.md', root), 'utf8').split(/^### /m);
  const lines = sections.find((section) => section.startsWith(heading))?.match(/^ *- .*$/gm) ?? [];
  return lines.flatMap((line) => [...line.matchAll(/`((?:src|packages)\/[\w/-]+\.ts)`/g)].map(([, path = '']) => path));
}

test('docs/architecture.md lists the deciding files of a checkout, a return and a webhook event, and only files that run', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  const pages = await trace(async () => {
    for (const path of ['/', '/cart', '/checkout', `/orders/${'A'.repeat(32)}`]) await customer.get(path);
    await customer.add({ product_id: SHIPPED });
  });
  const buyer = await Customer.withCart(shop, { product_id: SHIPPED });
  const checkout = await trace(() => openPageOf(shop, buyer, mugDelivery));
  await buyer.add({ product_id: SHIPPED });
  const changed = await trace(() => openPageOf(shop, buyer, { ...contact, ...address }));
  shop.clock.advance(5_000);
  shop.control.paySession(changed.value.session);
  const back = await trace(() => buyer.get(changed.value.returnPath));
  const page = await trace(() => buyer.get(changed.value.orderPath));
  const other = await openPageOf(shop, await Customer.withCart(shop, { product_id: SHIPPED }), mugDelivery);
  shop.clock.advance(5_000);
  shop.control.paySession(other.session);
  const event = await trace(async () => {
    await postWebhook(shop, sessionCompleted(other.session));
    await processInbox(shop.checkout);
  });

  const earlier: string[] = [];
  for (const { heading, traces } of [
    { heading: 'POST /checkout/hosted', traces: [checkout, changed] },
    { heading: 'GET or POST /checkout/return', traces: [back, page] },
    { heading: 'POST /webhooks/payments', traces: [event] },
  ] as const) {
    const listed = listedBelow(heading);
    earlier.push(...listed);
    const missing = ownFiles(traces[0].ran, pages.ran).filter((path) => !earlier.includes(path));
    const unused = listed.filter((path) => !traces.some(({ ran }) => ran.has(path)));
    expect({ heading, missing, unused, isListed: listed.length > 0 }).toEqual({
      ...{ heading, missing: [], unused: [], isListed: true },
    });
  }
});
