/** The end of an offer, the watch after it, and another attempt meanwhile. The simulator's clock stands still. */
import { expect, test } from '@jest/globals';
import { createLookupBudget } from '../../packages/payments/src/lookup-budget.js';
import {
  attemptStates,
  DAY,
  HOUR,
  MINUTE,
  openBankPage,
  PAY_AGAIN,
  reconcileAfter,
  sentPayments,
  sessionLookups,
} from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { allAttempts, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { leftOf, openLimitedPage, setStock } from '../support/stock.js';

const shop = await openSharedShop();

const TTL = shop.checkout.config.orderTtlMs;
/** The last card on the hosted page was declined. */
const DECLINED = { kind: 'rewrite', set: { transaction_status: 'Declined' } } as const;

/** A hosted page whose offer ended at the first lookup after its margin. The gateway still answers `pending`. */
async function openEndedPage() {
  const page = await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  return page;
}

const statusOf = async ({ customer, orderPath }: Awaited<ReturnType<typeof openHostedPage>>) =>
  (await customer.get(`${orderPath}/status`)).body;

test('a session that stays pending after its end is offered no more, releases its stock and is paid late', async () => {
  await setStock(shop, 5);
  const page = await openLimitedPage(shop);
  await reconcileAfter(shop, TTL + MINUTE);
  const during = [(await theOrder(shop)).state, await leftOf(shop)];
  await reconcileAfter(shop, 2 * MINUTE);
  const ended = [(await theOrder(shop)).state, await attemptStates(shop), await leftOf(shop)];
  const { text } = await page.customer.get(page.orderPath);
  const status = await statusOf(page);
  shop.control.paySession(page.session);
  await reconcileAfter(shop, 10 * MINUTE);

  expect(during).toEqual(['pending', 4]);
  expect(ended).toEqual(['expired', ['superseded'], 5]);
  expect(text).toContain('el pago todavía puede llegar');
  expect(text).toContain('puedes pagar otra vez a partir de');
  expect(status).toMatchObject({ state: 'expired', safe_to_pay_again: false });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test.each(['hosted', 'card'] as const)(
  'a %s payment with an unknown status is pending until the end of its offer, then in review',
  async (flow) => {
    if (flow === 'hosted') await openHostedPage(shop);
    else await openBankPage(shop);
    const call = flow === 'hosted' ? 'read-session' : 'read-transaction';
    const member = flow === 'hosted' ? 'transaction_status' : 'status';
    shop.control.fault(call, { kind: 'rewrite', set: { [member]: 'Verifying' } });
    await reconcileAfter(shop, MINUTE);
    const during = (await theOrder(shop)).state;
    await reconcileAfter(shop, TTL + 3 * MINUTE);

    expect(during).toBe('pending');
    const reviewReason = flow === 'hosted' ? 'overdue' : 'unclear_status';
    expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason });
  },
);

test('an answer that was requested during the offer, and arrives after the watch, ends no attempt', async () => {
  const { orderId } = await openHostedPage(shop);
  shop.control.fault('read-session', { kind: 'hold' }, 1);
  const verified = shop.checkout.payments.verify(orderId, 'return');
  await until(() => sessionLookups(shop).length === 1);
  shop.clock.advance(9 * DAY);
  shop.control.release();
  await verified;

  expect(await attemptStates(shop)).toEqual(['open']);
});

test('the gateway’s end of the session replaces the requested one, if it is between a minute and a day', async () => {
  const ends: number[] = [];
  for (const seconds of [59, 600, 24 * 3600 + 400]) {
    const expires_at = Math.floor(shop.clock.now() / 1000) + seconds;
    shop.control.fault('create-session', { kind: 'rewrite', set: { expires_at } }, 1);
    await openHostedPage(shop);
    const attempt = (await allAttempts(shop)).at(-1);
    ends.push(Math.round(((attempt?.offerEndsAt ?? 0) - (attempt?.createdAt ?? 0)) / MINUTE));
  }

  expect(ends).toEqual([Math.round(TTL / MINUTE), 10, Math.round(TTL / MINUTE)]);
});

test('a page that the gateway offers for longer keeps its pieces as long, also after a transient fault', async () => {
  await setStock(shop, 1);
  const { host } = shop.checkout;
  let tries = 0;
  const { offerExtended } = host;
  const failingOnce: typeof offerExtended = (...input) => {
    tries += 1;
    return tries > 1 ? offerExtended(...input) : Promise.reject(Object.assign(new Error(), { code: '40P01' }));
  };
  Object.assign(host, { offerExtended: failingOnce });
  const reservation = shop.queries.selectFrom('reservations').select('expiresAt');
  const expires_at = Math.floor(shop.clock.now() / 1000) + (3 * HOUR) / 1000;
  shop.control.fault('create-session', { kind: 'rewrite', set: { expires_at } }, 1);

  await openLimitedPage(shop);
  await until(async () => ((await reservation.executeTakeFirst())?.expiresAt ?? 0) > shop.clock.now() + 2 * HOUR);
  Object.assign(host, { offerExtended });
  shop.clock.advance(2 * HOUR);

  expect([tries, await leftOf(shop)]).toEqual([2, 0]);
});

test('a watched attempt is looked up at growing intervals, and ends after 8 days if the gateway never ended it', async () => {
  await openEndedPage();
  const countDuring = async (ms: number, step: number) => {
    const before = sessionLookups(shop).length;
    for (let passed = 0; passed < ms; passed += step) await reconcileAfter(shop, step);
    return sessionLookups(shop).length - before;
  };

  const firstHour = await countDuring(HOUR, MINUTE);
  const nextDay = await countDuring(DAY, 10 * MINUTE);
  await reconcileAfter(shop, DAY);
  const laterDay = await countDuring(DAY, HOUR);
  const watched = await attemptStates(shop);
  await reconcileAfter(shop, 5 * DAY);
  const after = await countDuring(DAY, HOUR);

  expect(firstHour).toBeGreaterThanOrEqual(10);
  expect(firstHour).toBeLessThanOrEqual(13);
  expect(nextDay).toBeLessThanOrEqual(60);
  expect(laterDay).toBeLessThanOrEqual(6);
  expect(watched).toEqual(['superseded']);
  expect([await attemptStates(shop), after]).toEqual([['expired'], 0]);
  expect((await allAttempts(shop))[0]?.neverCompletedAt).not.toBeNull();
  const events = await shop.queries.selectFrom('orderEvents').select('kind').execute();
  expect(events.map(({ kind }) => kind)).toContain('never_completed');
});

test('the page of an ended offer asks the gateway once a minute, and refreshes itself for an hour', async () => {
  const page = await openEndedPage();
  const visit = async () =>
    (await page.customer.get(page.orderPath)).text.match(/http-equiv="refresh" content="(\d+)/)?.[1];
  shop.clock.advance(MINUTE);
  const before = sessionLookups(shop).length;
  const refreshes = [await visit(), await visit()];
  const lookups = sessionLookups(shop).length - before;
  shop.clock.advance(HOUR);
  refreshes.push(await visit());

  expect([refreshes, lookups]).toEqual([['60', '60', undefined], 1]);
});

test('a payment that arrives after the watch is found by a return', async () => {
  const page = await openEndedPage();
  await reconcileAfter(shop, 9 * DAY);
  const ended = await attemptStates(shop);

  await payAndReturn(shop, page);

  expect(ended).toEqual(['expired']);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('the worker looks up 60 ended offers a minute, and live attempts are not among them', async () => {
  const budget = createLookupBudget(shop.checkout.db.limiter);
  const taken: boolean[] = [];
  for (let count = 0; count < 61; count += 1) taken.push(await budget.take('hosted', 'worker', true));

  expect(taken.filter(Boolean)).toHaveLength(60);
  expect(await budget.take('hosted', 'worker', false)).toBe(true);
  expect(await budget.take('hosted', 'return', true)).toBe(true);
});

test('after an offer another attempt starts 30 minutes later, and only after the warning was confirmed', async () => {
  const page = await openEndedPage();

  const early = await page.customer.payHosted(PAY_AGAIN);
  shop.clock.advance(28 * MINUTE);
  const orderPage = await page.customer.get(page.orderPath);
  const unwarned = await page.customer.payHosted();
  const before = await attemptStates(shop);
  const confirmed = await page.customer.payHosted(PAY_AGAIN);

  expect([early.status, early.headers['location']]).toEqual([303, page.orderPath]);
  expect(orderPage.text).toContain('?pay_again=1">Pagar de otra forma<');
  expect(unwarned.status).toBe(409);
  expect(unwarned.text).toContain('<input type="hidden" name="pay_again" value="1">');
  expect(before).toEqual(['superseded']);
  expect(confirmed.status).toBe(302);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('after a declined card on the hosted page another attempt starts at once after the offer', async () => {
  const page = await openEndedPage();
  shop.control.fault('read-session', DECLINED);

  const confirmed = await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);

  expect(confirmed.status).toBe(303);
  expect(await attemptStates(shop)).toEqual(['superseded', 'paid']);
});

test.each([
  ['fails', { kind: 'status', status: 503 }],
  ['returns an unknown transaction status', { kind: 'rewrite', set: { transaction_status: 'Verifying' } }],
] as const)('no attempt starts beside a watched one whose lookup %s, and the order is shown', async (_what, fault) => {
  const page = await openEndedPage();
  shop.clock.advance(40 * MINUTE);
  shop.control.fault('read-session', fault);

  const again = await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);

  expect([again.status, again.headers['location'], sentPayments(shop).length]).toEqual([303, page.orderPath, 0]);
});

test('a fourth attempt does not start while three have not ended', async () => {
  const page = await openEndedPage();
  for (let count = 0; count < 2; count += 1) {
    shop.clock.advance(31 * MINUTE);
    await page.customer.payHosted(PAY_AGAIN);
    await reconcileAfter(shop, TTL + 3 * MINUTE);
  }
  shop.clock.advance(31 * MINUTE);

  const fourth = await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);

  expect([fourth.status, fourth.headers['location']]).toEqual([303, page.orderPath]);
  expect(await attemptStates(shop)).toEqual(['superseded', 'superseded', 'superseded']);
});

test('a card is charged beside an offered hosted page only after the warning was confirmed, and the page stays open', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);

  const form = await page.customer.get('/checkout/card');
  const unwarned = await payByCard(shop, page.customer);
  const sent = sentPayments(shop).length;
  const declined = await payByCard(shop, page.customer, CARDS.declined, PAY_AGAIN);
  const hosted = await openPageOf(shop, page.customer);

  expect(form.text).toContain('<input type="hidden" name="pay_again" value="1">');
  expect([unwarned.status, sent]).toEqual([409, 0]);
  expect([declined.status, hosted.session]).toEqual([303, page.session]);
  expect(await attemptStates(shop)).toEqual(['superseded', 'declined']);
});

test('an earlier hosted page is not offered again while a card payment of the order is at the bank', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  await payByCard(shop, page.customer, CARDS.challenged, PAY_AGAIN);
  shop.clock.advance(MINUTE);

  const again = await page.customer.payHosted(PAY_AGAIN);

  expect([again.status, again.headers['location']]).toEqual([303, page.orderPath]);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('the order page names a decline on the hosted page and links the same page', async () => {
  const page = await openHostedPage(shop);
  shop.control.fault('read-session', DECLINED);
  shop.clock.advance(MINUTE);

  const { text } = await page.customer.get(page.orderPath);

  expect(text).toContain('En la misma página de pago puedes usar otra tarjeta.');
  expect(text).toContain(`/checkout/${page.session}`);
});
