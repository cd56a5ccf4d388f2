/** The reminder of an unpaid order, which the worker sends once. The shop offers a page for 60 min. */

import { expect, test } from '@jest/globals';
import { attemptRow, paymentsOf } from '@tianguis/payments/testing';
import { DAY, HOUR, loseCardAnswer, MINUTE, PAY_AGAIN } from '../../../../test/checkout/support.js';
import { changeCheckout } from '../../../../test/support/change-checkout.js';
import { numbers, until } from '../../../../test/support/crowd.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { allOrders, theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { createClient } from '../../../../test/support/replica.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { endReservations, openLimitedPage, setStock } from '../../../../test/support/stock.js';
import { deleteExpiredShopRows } from '../../../shop/delete-expired-rows.js';
import { cancelOrder } from '../../../shop/order-requests.js';
import { insertOrder } from '../../../tables/orders.js';
import type { OrdersTable } from '../../../tables/schema.js';
import { processReminders } from '../send-reminder.js';

const NOT_WANTED = { reason: 'not_wanted', text: '' } as const;
const shop = await openSharedShop({ env: { REMINDER_HOURS: '24' } });

/** Advances the clock, runs the loop of the reminders until none is due, and returns all reminders that were mailed. */
async function remindersAfter(ms: number, context = shop.checkout) {
  shop.clock.advance(ms);
  while ((await processReminders(context)) > 0);
  return (await receiveMails(shop)).filter(({ subject }) => /sin pagar|not paid/.test(subject));
}

const reminderJobs = () => shop.queries.selectFrom('outbox').select('key').where('job', '=', 'reminder').execute();

test('an unpaid order gets one reminder after its delay, over ten restarts and two processes at once', async () => {
  await openHostedPage(shop);
  const other = (await shop.openReplica()).checkout;

  expect(await remindersAfter(24 * HOUR - MINUTE)).toHaveLength(0);
  shop.clock.advance(MINUTE);
  await Promise.all([shop.checkout, other, shop.checkout, other].map(processReminders));
  for (const _restart of numbers(10)) {
    const { checkout } = await shop.openReplica();
    await remindersAfter(12 * HOUR, checkout);
  }

  expect(await reminderJobs()).toEqual([{ key: `reminder:${(await theOrder(shop)).id}` }]);
  const history = shop.queries.selectFrom('orderEvents').selectAll().where('kind', '=', 'job_done');
  expect(await history.execute()).toMatchObject([{ detail: '{"job":"reminder"}' }]);
  expect(await remindersAfter(0)).toHaveLength(1);
});

test('case 198: a closed shop sends no reminder, and sends it when it opens again', async () => {
  await openHostedPage(shop);
  await storeSettings(shop.queries, { closing: { until: '2999-01-01', texts: {} } });
  shop.clock.advance(1_000);
  await shop.checkout.settings.refresh();

  expect(await remindersAfter(DAY)).toHaveLength(0);
  await storeSettings(shop.queries, { closing: null });
  shop.clock.advance(1_000);
  await shop.checkout.settings.refresh();
  expect(await remindersAfter(0)).toHaveLength(1);
});

test('an order whose discount code can no longer be used gets no reminder', async () => {
  await openHostedPage(shop);
  await shop.queries.updateTable('orders').set({ discountCode: 'TERMINADO' }).execute();

  expect(await remindersAfter(DAY)).toHaveLength(0);
});

test('the first start with reminders sends none for orders that were placed before it', async () => {
  const switchReminders = async (hours: number) => {
    await storeSettings(shop.queries, { 'reminders.hours': hours });
    shop.clock.advance(1_000);
    await shop.checkout.settings.refresh();
  };
  await switchReminders(0);
  await openHostedPage(shop);
  await switchReminders(24);

  const { orderId } = await openHostedPage(shop);

  expect(await remindersAfter(DAY + 2 * HOUR)).toHaveLength(1);
  expect(await reminderJobs()).toEqual([{ key: `reminder:${orderId}` }]);
});

test('the worker sends the reminder', async () => {
  await openHostedPage(shop);
  shop.clock.advance(DAY);
  const loops = shop.checkout.loops.map((loop) => ({ ...loop, pauseMs: 20 }));
  await using _worker = paymentsOf({ ...shop.checkout, loops }).startWorker();

  const isSent = async () => {
    // A lookup of another loop at the same time delays the reminder.
    if ((await reminderJobs()).length === 0) shop.clock.advance(MINUTE);
    return shop.logged.some((line) => /"kind":"reminder".*job.completed/.test(line));
  };
  await until(isSent);

  expect(await remindersAfter(0)).toHaveLength(1);
});

test('the reminder shows number, lines, total and time left, and links to the payment of the order', async () => {
  const { customer, orderPath } = await openHostedPage(shop, '2');

  const [mail] = await remindersAfter(DAY);

  const { number, email } = await theOrder(shop);
  expect([mail?.to, mail?.subject]).toEqual([email, `Tu pedido ${number} sigue sin pagar`]);
  const link = `${shop.url}${orderPath}/pay`;
  for (const text of [mail?.text, mail?.html])
    for (const part of ['No recibimos ningún pago', number, 'Taza de talavera azul', '$578.00', '5 días', link])
      expect(text).toContain(part);
  expect((await customer.get(`${orderPath}/pay`)).text).toContain('data-state="open"');
  expect(shop.logged.join('')).not.toContain(orderPath);
});

test('an order whose card was declined gets a reminder, and an order whose payment page was never opened gets none', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  const at = shop.clock.now();
  const merchantOrder = orderRow({ createdAt: at, payableUntil: at + 7 * DAY });
  await insertOrder(shop.queries, merchantOrder, [LINE]);

  expect(await remindersAfter(DAY)).toHaveLength(1);
  expect(shop.control.calls('read-session')).toHaveLength(0);
});

test('a reminder waits for 1 h after the last offer of the order', async () => {
  const { customer } = await openHostedPage(shop);
  shop.clock.advance(23.5 * HOUR);
  await payByCard(shop, customer, CARDS.declined, PAY_AGAIN);

  expect(await remindersAfter(1.9 * HOUR)).toHaveLength(0);
  expect(await remindersAfter(0.2 * HOUR)).toHaveLength(1);
});

/** Stores unpaid orders of these addresses, whose card was declined. */
async function storeOrdersOf(emails: readonly string[]): Promise<void> {
  const createdAt = shop.clock.now();
  for (const email of emails) {
    const order = orderRow({ number: `TG-${createdAt}-${email}`, email, createdAt, payableUntil: createdAt + 7 * DAY });
    await insertOrder(shop.queries, order, [LINE]);
    await shop.queries
      .insertInto('attempts')
      .values(attemptRow(order.id, { flow: 'card', state: 'declined' }))
      .execute();
  }
}

test('case 185: many unpaid orders of one mailbox, in all spellings of its address, cause one reminder a day', async () => {
  const spellings = ['eva.ruiz@gmail.com', 'evaruiz+2@gmail.com', 'e.v.a.ruiz@googlemail.com'];
  await storeOrdersOf([
    ...spellings,
    ...spellings.map((each) => each.toUpperCase()),
    'otra@example.com',
    'otra+x@Example.com',
  ]);
  const other = (await shop.openReplica()).checkout;
  shop.clock.advance(DAY);

  await Promise.all([shop.checkout, other].map(processReminders));
  const first = await remindersAfter(0);
  const later = await remindersAfter(2 * DAY);
  await storeOrdersOf(['EVARUIZ@gmail.com']);
  const next = await remindersAfter(DAY);

  expect([first.length, later.length, next.length]).toEqual([2, 2, 3]);
});

test('case 185: the shop sends at most 100 reminders an hour, and the others later', async () => {
  await storeOrdersOf(['eva@example.com']);
  shop.clock.advance(DAY);
  const remindedAt = shop.clock.now();
  const rows = numbers(100).map((at) => ({ mailbox: `m${at}`, remindedAt }));
  await shop.queries.insertInto('remindedMailboxes').values(rows).execute();

  expect(await remindersAfter(0)).toHaveLength(0);
  expect(await remindersAfter(71 * MINUTE)).toHaveLength(1);
});

test('case 207: an order whose products the same address paid in another browser gets no reminder', async () => {
  await openHostedPage(shop);
  shop.clock.advance(HOUR);
  const elsewhere = await openHostedPage(shop, '2', { ...contact, email: contact.email.toUpperCase() });
  await payAndReturn(shop, elsewhere);

  expect(await remindersAfter(DAY)).toHaveLength(0);
  expect(await remindersAfter(2 * DAY)).toHaveLength(0);
});

test('case 207: a reminder that waited for the mail server is not sent if its products were bought again meanwhile', async () => {
  await openHostedPage(shop);
  shop.clock.advance(DAY);
  await processReminders(shop.checkout);
  await payByCard(shop, await Customer.withCart(shop));

  expect(await remindersAfter(6 * MINUTE)).toHaveLength(0);
});

interface OtherOrder {
  readonly change?: Partial<OrdersTable>;
  /** Hours from the unpaid order to the confirmation of the other one. */
  readonly hours?: number;
  readonly products?: readonly string[];
}

/** Stores an unpaid order with two products and a fee, and other orders, which are paid. */
async function storeOrders(others: readonly OtherOrder[]): Promise<void> {
  await storeOrdersOf(['Eva@example.com']);
  const at = shop.clock.now();
  const { id } = await theOrder(shop);
  await shop.queries.updateTable('orders').set({ phone: '9515550101' }).execute();
  const lines = ['alebrije-jaguar', 'shipping'].map((productId) => ({ ...LINE, productId }));
  const further = lines.map((line, index) => ({ ...line, orderId: id, position: index + 1 }));
  await shop.queries.insertInto('orderLines').values(further).execute();
  for (const { change = {}, hours = 1, products = [LINE.productId, 'alebrije-jaguar'] } of others) {
    const confirmedAt = at + hours * HOUR;
    const paid = { state: 'paid', email: 'eva@example.com', paidAt: at - DAY, confirmedAt } as const;
    const order = orderRow({ createdAt: Math.min(at, confirmedAt), ...paid, ...change });
    const bought = products.map((productId) => ({ ...LINE, productId }));
    await insertOrder(shop.queries, order, bought);
  }
}

test.each<[string, number, readonly OtherOrder[]]>([
  ['one order paid', 0, [{}]],
  ['one order of the hour before paid', 0, [{ hours: -1 }]],
  ['two orders together paid', 0, [{ products: [LINE.productId] }, { products: ['alebrije-jaguar'] }]],
  // A stranger may type the phone number of a customer, and would learn of the purchase.
  ['an order with the same phone number only paid', 1, [{ change: { email: 'ana@example.com', phone: '9515550101' } }]],
  ['an order in review may have paid', 0, [{ change: { state: 'review', paidAt: null, confirmedAt: null } }]],
  ['another customer paid', 1, [{ change: { email: 'ana@example.com' } }]],
  ['an order of two days before paid', 1, [{ hours: -49 }]],
  ['an unpaid order has', 1, [{ change: { state: 'declined', paidAt: null, confirmedAt: null } }]],
  ['other orders paid in part', 1, [{ products: [LINE.productId] }, { products: [LINE.productId, 'shipping'] }]],
  ['no order paid', 1, []],
])('case 207: an order whose products %s gets %i reminders', async (_what, count, others) => {
  await storeOrders(others);

  expect(await remindersAfter(DAY)).toHaveLength(count);
});

const change = (values: object) => async () => {
  await openHostedPage(shop);
  await shop.queries.updateTable('orders').set(values).execute();
};
const NEVER: Readonly<Record<string, () => Promise<unknown>>> = {
  'is paid': async () => payAndReturn(shop, await openHostedPage(shop)),
  'was paid without a return': async () => {
    const { session } = await openHostedPage(shop);
    shop.control.paySession(session);
  },
  'is cancelled': async () => {
    const { orderId } = await openHostedPage(shop);
    await cancelOrder(shop.checkout, { orderId, version: (await theOrder(shop)).version, cancellation: NOT_WANTED });
  },
  'has an ended link': change({ payableUntil: null }),
  'has a link that ends in less than 1 h': async () => change({ payableUntil: shop.clock.now() + DAY + 59 * MINUTE })(),
  'is erased': change({ email: '' }),
  'is sold out': async () => {
    await setStock(shop, 1);
    await openLimitedPage(shop);
    await endReservations(shop);
    await setStock(shop, 0);
  },
  'is in review': async () => {
    const opened = await openHostedPage(shop);
    shop.control.fault('read-session', { kind: 'rewrite', set: { currency: 'USD' } });
    await payAndReturn(shop, opened);
  },
  'has an unknown outcome': async () => loseCardAnswer(shop, 'after'),
};

test.each(Object.keys(NEVER))('an order that %s gets no reminder', async (name) => {
  await NEVER[name]?.();

  expect(await remindersAfter(DAY)).toHaveLength(0);
  expect(await remindersAfter(2 * DAY)).toHaveLength(0);
});

test('of an order and the one that replaced it, only the newer one gets a reminder', async () => {
  const { customer, orderId } = await openHostedPage(shop);
  await customer.add({ product_id: 'alebrije-jaguar' });
  await openPageOf(shop, customer);

  const mails = await remindersAfter(DAY);

  const newer = (await allOrders(shop)).find(({ id }) => id !== orderId);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining(newer?.number ?? '-')]);
});

test('while no lookup answers, no reminder is sent and fewer lookups are made; after an answer it is sent', async () => {
  await openHostedPage(shop);
  const cutOff = changeCheckout(shop.checkout, { gateway: createClient('http://localhost:1') });
  const tries = () => shop.logged.filter((line) => line.includes('lookup.failed')).length;

  expect(await remindersAfter(DAY, cutOff)).toHaveLength(0);
  expect(tries()).toBe(1);
  for (const _tenMinutes of numbers(6 * 24)) expect(await remindersAfter(10 * MINUTE, cutOff)).toHaveLength(0);
  expect(tries()).toBeLessThan(20);

  expect(await remindersAfter(6 * HOUR)).toHaveLength(1);
});

test('a reminder that waited for the mail server is not sent if the order was paid meanwhile', async () => {
  const { session } = await openHostedPage(shop);
  shop.clock.advance(DAY);
  await processReminders(shop.checkout);
  shop.control.paySession(session);

  expect(await remindersAfter(6 * MINUTE)).toHaveLength(0);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a mailbox is forgotten a day after its reminder, not before', async () => {
  const row = { mailbox: 'hash', remindedAt: shop.clock.now() };
  await shop.queries.insertInto('remindedMailboxes').values(row).execute();
  const count = async () => (await shop.queries.selectFrom('remindedMailboxes').selectAll().execute()).length;

  const left: number[] = [];
  for (const ms of [DAY - MINUTE, 2 * MINUTE]) {
    shop.clock.advance(ms);
    await deleteExpiredShopRows(shop.checkout);
    left.push(await count());
  }

  expect(left).toEqual([1, 0]);
});

test('without REMINDER_HOURS no order is looked at', async () => {
  await openHostedPage(shop);
  const { checkout } = shop;

  const mails = await remindersAfter(DAY, { ...checkout, config: { ...checkout.config, reminderMs: undefined } });

  expect([mails.length, shop.control.calls('read-session').length]).toEqual([0, 0]);
});
