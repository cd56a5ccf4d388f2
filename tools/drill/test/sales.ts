/** Customers who buy at several processes behind a proxy, and what must hold afterwards. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from '@jest/globals';
import { numbers, until } from '../../../test/support/crowd.js';
import { readOrderPage } from '../../../test/support/customer.js';
import { chargesIn, findViolations } from '../../../test/support/invariants.js';
import { mailFiles } from '../../../test/support/mailbox.js';
import type { Program } from '../../../test/support/programs.js';
import { Customer, expectStatus, pathOf, paySession, type Reply, redirectedSession, retry } from '../customer.js';
import { countQueues } from '../database-state.js';
import { advancedClock, type Environment, readShopState } from '../environment.js';
import { findLeaks } from '../leaks.js';
import type { Random } from '../scenario.js';
import { resendCardWebhooks } from '../simulator-control.js';

const MAX_CARTS = 5;
/** 15 min: all leases and reconcile delays have passed, but no order has expired. */
const LATER_MS = 15 * 60_000;
/** States that the page of a charged order must not show. */
const NOT_CHARGED = ['created', 'declined', 'expired', 'cancelled'];

interface Purchase {
  readonly environment: Environment;
  readonly random: Random;
}

/** Buys with retries. Throws if the customer cannot buy or a page contradicts the ledger. */
export async function buy(purchase: Purchase, count: number): Promise<void> {
  const { environment, random } = purchase;
  const customer = new Customer(environment);
  const send = <T>(request: () => Promise<T>) => retry({ tries: 200, pauseMs: () => 50 + random.below(100) }, request);
  const checkPage = async (path: string) => {
    const page = expectStatus(await send(() => customer.get(path)), 200);
    const { state } = readOrderPage(page.text);
    const { ledger, orders, attempts } = await send(() => readShopState(environment));
    const order = orders.find(({ token }) => path.endsWith(token));
    const own = attempts.filter(({ orderId }) => orderId === order?.id);
    const isCharged = ledger.some((charge) => own.some(({ gatewayId }) => gatewayId === charge.id));
    if (isCharged ? NOT_CHARGED.includes(state) : state === 'paid')
      throw new Error(`the page showed ${state}, ${isCharged ? 'charged' : 'not charged'}`);
  };
  await send(() => customer.add());
  if (count % 5 === 0) {
    // The customer submits a card once. After a lost response the shop must find the payment.
    const reply = await customer.payByCard().catch(() => undefined);
    if (reply?.status === 303) await checkPage(pathOf(reply.headers.location));
    return;
  }
  for (const _ of numbers(MAX_CARTS)) {
    const session = redirectedSession(environment, await send(() => customer.payHosted()));
    if (session !== undefined) {
      const returnPath = await paySession(environment, session);
      // One of three customers does not return.
      if (count % 3 === 0) return;
      const reply: Reply = expectStatus(await send(() => customer.get(returnPath)), 303);
      return checkPage(pathOf(reply.headers.location));
    }
    await send(() => customer.add());
  }
  throw new Error('the customer never reached the hosted page');
}

/**
 * Stops all programs, and lets one worker alone verify what is open. Expects that each charge is one paid order with one
 * receipt. Returns the number of charges.
 */
export async function expectAllSold(
  environment: Environment,
  programs: readonly Program[],
  worker: Program,
): Promise<number> {
  await resendCardWebhooks(environment.control);
  await Promise.all(programs.map((program) => program.kill('SIGTERM')));
  // After all leases of the killed processes have expired.
  await worker.start({ nodeOptions: advancedClock(LATER_MS) });
  const isVerified = async () => {
    const state = await readShopState(environment);
    const { jobs } = await countQueues(environment.databaseUrl);
    return jobs === 0 && chargesIn('paid', state).length === state.ledger.length;
  };
  await until(isVerified, { withinMs: 60_000, everyMs: 100 });
  await worker.kill('SIGTERM');

  const state = await readShopState(environment);
  const paid = state.orders.filter((order) => order.state === 'paid');
  for (const program of programs) expect(program.log()).not.toContain('Node.js v');
  expect(await findLeaks(environment)).toEqual([]);
  expect(findViolations(state)).toEqual([]);
  expect(chargesIn('paid', state)).toHaveLength(state.ledger.length);
  expect(paid).toHaveLength(state.ledger.length);
  expect(receiptsIn(environment.folder)).toEqual(new Set(paid.map(({ id }) => `receipt.${id}.eml`)));
  return state.ledger.length;
}

/** Returns the file names of all complete receipts, regardless of the process that wrote them. */
function receiptsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder).flatMap((name) => mailFiles(join(folder, name, 'data/mail')));
  return new Set(files.map((file) => basename(file)));
}
