/** An order whose payment link is opened in a second browser, which has none of the cookies of the first one. */
import { openVisit } from '../../../../../test/support/browser.js';
import { theOrder } from '../../../../../test/support/inspect.js';
import { reachHostedPage } from '../../../../../test/support/steps.js';
import type { TestShop } from '../../../../../test/support/test-shop.js';

export const BANK = '**/bank/*';
export const ERROR_409 = /^console error: Failed to load resource: .* 409/;
/** The person of the second browser. */

/** Leaves an order with an open hosted page in the first browser. Returns its payment link. */
export async function leaveOrder(shop: TestShop): Promise<string> {
  await reachHostedPage((await openVisit(shop)).page);
  return `/orders/${(await theOrder(shop)).token}/pay`;
}
