import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { mugDelivery } from '../support/customer.js';
import { pagesBelowOrder, pagesOf } from '../support/pages.js';
import { openHostedPage, placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { fillCart, signIn } from '../support/steps.js';
import { typeEverywhere } from '../support/type-everywhere.js';
import { SCREENS, SCREENS_OF_THIS_RUN } from '../support/typing.js';

/** 20 s at rest. */
const TIMEOUT_MS = 300_000;

const shop = await openFileShop({ foreignGateway: true, env: { REFUND_PARTIAL: 'on' } });

test.each(SCREENS_OF_THIS_RUN)(
  'on a %s each field of each form of shop and hosted page holds what is typed key by key',
  async (screen) => {
    await using visit = await openVisit(shop, SCREENS[screen]);
    const { page } = visit;
    const { order } = await placePaidOrder(shop);
    const { session } = await openHostedPage(shop);
    await fillCart(page, SHIPPED);
    const typed = new Set<string>();

    for (const path of [
      ...['/', '/products/taza-de-talavera', '/cart', '/checkout', '/checkout/card'],
      ...[`${shop.simulator.url}/checkout/${session}`, `${shop.simulator.url}/`],
    ])
      expect([path, await typeEverywhere(page, path, typed)]).not.toEqual([path, 0]);
    for (const path of await pagesOf(page, shop, order)) await typeEverywhere(page, path, typed);
  },
  TIMEOUT_MS,
);

test.each(SCREENS_OF_THIS_RUN)(
  'on a %s each field of each form of the back office holds what is typed key by key',
  async (screen) => {
    await using visit = await openVisit(shop, SCREENS[screen]);
    const { page } = visit;
    const { order } = await placePaidOrder(shop, mugDelivery);
    const review = await placePaidOrder(shop, mugDelivery, { amount_total: 1 });

    const typed = new Set<string>();
    await typeEverywhere(page, '/admin', typed);
    await signIn(page);
    for (const path of ['/admin', '/admin/orders', `/admin/orders/${review.order.number}`])
      expect([path, await typeEverywhere(page, path, typed)]).not.toEqual([path, 0]);
    const pages = (await pagesOf(page, shop, order)).filter((path) => path.startsWith('/admin'));
    for (const path of [...pages, ...(await pagesBelowOrder(page, order))]) await typeEverywhere(page, path, typed);
  },
  TIMEOUT_MS,
);
