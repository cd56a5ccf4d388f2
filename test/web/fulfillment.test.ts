import { afterAll, expect, test } from '@jest/globals';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { openBackOffice } from '../support/admin.js';
import { Customer, mugDelivery } from '../support/customer.js';
import { dumpDatabase, orderOfSession } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
const { control } = shop.simulator;
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);
afterAll(async () => shop[Symbol.asyncDispose]());

const ESTAFETA = { to: 'shipped', carrier: 'estafeta', tracking_number: '8055 2415 2846 4720 0993 14' };
const NUMBER = '8055241528464720099314';

async function openUnpaid() {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop, '1', mugDelivery);
  const order = await orderOfSession(shop, session);
  const path = `/admin/orders/${order.number}`;
  const change = (fields: object) => merchant.post(`${path}/fulfillment`, fields);
  return { customer, session, returnPath, orderPath, order, path, change };
}

/** Pays an order on the hosted page. */
async function openPaid() {
  const opened = await openUnpaid();
  control.paySession(opened.session);
  await opened.customer.get(opened.returnPath);
  return opened;
}

function fulfillmentOf(orderId: string) {
  return queries.selectFrom('fulfillments').selectAll().where('orderId', '=', orderId).executeTakeFirst();
}

async function eventsOf(orderId: string) {
  const events = await queries
    .selectFrom('orderEvents')
    .select('detail')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'fulfillment_changed')
    .orderBy('id')
    .execute();
  return events.map(({ detail }) => JSON.parse(detail) as unknown);
}

/** Runs all due jobs and returns the mails about this shipped order. */
async function mailsAbout({ number }: { number: string }) {
  while ((await processOutbox(shop.context.checkout)) > 0);
  const mails = await receiveMails(shop);
  return mails.filter(({ subject }) => subject === `Tu pedido ${number} va en camino`);
}

test('a paid order is shipped, corrected, delivered and taken back, and each change is an event of its history', async () => {
  const { order, path, change } = await openPaid();

  const answers = [
    await change({ ...ESTAFETA, version: '1' }),
    await change({ to: 'shipped', carrier: 'dhl', tracking_number: '1234567890', version: '2' }),
    await change({ to: 'delivered', version: '3' }),
    await change({ to: 'shipped', carrier: 'dhl', tracking_number: '1234567890', version: '4' }),
    await change({ to: 'preparing', version: '5' }),
  ];
  const page = await merchant.get(path);

  expect(answers.map(({ headers }) => headers['location'])).toEqual(
    answers.map(() => `${path}?result=fulfillment_done`),
  );
  expect(await fulfillmentOf(order.id)).toMatchObject({
    ...{ state: 'preparing', carrier: null, trackingNumber: null, version: 6 },
  });
  const dhl = { carrier: 'dhl', trackingNumber: '1234567890', by: 'admin' };
  expect(await eventsOf(order.id)).toEqual([
    { from: 'preparing', to: 'shipped', carrier: 'estafeta', trackingNumber: NUMBER, by: 'admin' },
    { from: 'shipped', to: 'shipped', ...dhl },
    { from: 'shipped', to: 'delivered', ...dhl },
    { from: 'delivered', to: 'shipped', ...dhl },
    { from: 'shipped', to: 'preparing', by: 'admin' },
  ]);
  for (const text of [
    `Número de guía: ${NUMBER}.`,
    'Paquetería: Estafeta.',
    'Estado nuevo: Enviado.',
    'Usuario: admin.',
  ])
    expect(page.text).toContain(text);
  const logged = shop.logged.filter((line) => line.includes('"fulfillment.changed"'));
  expect(logged.join('')).toContain(order.number);
  expect(logged.join('')).not.toMatch(/8055|1234567890|@/);
});

test('the customer gets one mail with the tracking link, although the job runs again and the parcel is corrected', async () => {
  const { order, orderPath, change } = await openPaid();

  await change({ ...ESTAFETA, version: '1' });
  const first = await mailsAbout(order);
  await queries.updateTable('outbox').set({ doneAt: null, nextAt: 1 }).where('job', '=', 'shipped').execute();
  const again = await mailsAbout(order);
  await change({ to: 'shipped', carrier: 'fedex', tracking_number: '123456789012', version: '2' });
  await change({ to: 'delivered', version: '3' });
  await change({ to: 'shipped', carrier: 'fedex', tracking_number: '123456789012', version: '4' });
  const after = await mailsAbout(order);
  const jobs = await queries.selectFrom('outbox').select('job').where('orderId', '=', order.id).execute();

  const [mail] = first;
  expect([first, again, after].map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(after).toEqual(first);
  expect(mail?.to).toContain(order.email);
  const link = `https://cs.estafeta.com/es/Tracking/searchByGet?wayBillType=0&wayBill=${NUMBER}`;
  for (const text of [NUMBER, 'Estafeta', link, `${shop.url}${orderPath}`])
    expect(mail?.text).toContain(text);
  expect(mail?.html).toContain(link.replace('&', '&amp;'));
  expect(jobs.filter(({ job }) => job === 'shipped')).toHaveLength(1);
});

test.each([
  [
    'to a state that the current one does not allow',
    { to: 'delivered', version: '1' },
    'fulfillment_not_allowed',
  ],
  ['on a stale version', { to: 'picked_up', version: '7' }, 'fulfillment_changed'],
  ['without a version', { to: 'picked_up' }, 'fulfillment_changed'],
])('a change of the fulfillment %s changes nothing', async (_what, fields, result) => {
  const { order, path, change } = await openPaid();
  const before = await dumpDatabase(shop);

  const answer = await change(fields);

  expect(answer.headers['location']).toBe(`${path}?result=${result}`);
  expect(await dumpDatabase(shop)).toBe(before);
  expect(await fulfillmentOf(order.id)).toMatchObject({ state: 'preparing', version: 1 });
});

test.each<[string, (order: { id: string; paidAttemptId: string | null }) => Promise<unknown>]>([
  [
    'in review',
    ({ id }) =>
      queries.updateTable('orders').set({ reviewReason: 'second_payment' }).where('id', '=', id).execute(),
  ],
  [
    'whose payment was refunded',
    ({ paidAttemptId }) =>
      queries
        .updateTable('attempts')
        .set({ state: 'refunded' })
        .where('id', '=', paidAttemptId ?? '')
        .execute(),
  ],
])('an order %s can neither be shipped nor printed as a packing slip', async (_what, makeUnfit) => {
  const { session, path, change } = await openPaid();
  await makeUnfit(await orderOfSession(shop, session));
  const before = await dumpDatabase(shop);

  const answer = await change({ ...ESTAFETA, version: '1' });
  const slip = await merchant.get(`${path}/packing-slip`);
  const page = await merchant.get(path);

  expect([answer, slip].map(({ headers }) => headers['location'])).toEqual([
    `${path}?result=fulfillment_not_allowed`,
    `${path}?result=no_slip`,
  ]);
  expect(await dumpDatabase(shop)).toBe(before);
  expect(page.text).toContain('No envíes ni entregues este pedido');
  expect(page.text).not.toContain(`${path}/fulfillment`);
});

test.each([
  ['with a script address', 'javascript:alert(1)', 'solo con letras sin acento'],
  ['that is a card number', '4111 1111 1111 1111', 'Esto parece un número de tarjeta.'],
])(
  'a tracking number %s is refused at its field, and nothing is stored',
  async (_what, tracking_number, error) => {
    const { path, change } = await openPaid();
    const before = await dumpDatabase(shop);

    const answer = await change({ to: 'shipped', carrier: 'fedex', tracking_number, version: '1' });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="tracking_number-error"');
    expect(answer.text).toContain(error);
    expect(answer.text).toContain('<option value="fedex" selected>');
    expect(answer.text).not.toMatch(/4111|href="javascript/);
    expect(await dumpDatabase(shop)).toBe(before);
    expect((await merchant.get(path)).text).not.toContain('id="tracking_number-error"');
  },
);

test('the customer sees carrier, tracking number and link, and other holders of the order link see the state only', async () => {
  const { customer, orderPath, change } = await openPaid();
  const other = new Customer(shop);

  const preparing = await customer.get(orderPath);
  await change({ ...ESTAFETA, version: '1' });
  const own = await customer.get(orderPath);
  const foreign = await other.get(orderPath);
  const status = await other.get(`${orderPath}/status`);
  await change({ to: 'returned', version: '2' });
  const returned = await customer.get(orderPath);

  expect(preparing.text).toContain('En preparación');
  for (const text of ['Enviado', 'Estafeta', NUMBER, 'https://cs.estafeta.com/'])
    expect(own.text).toContain(text);
  expect(foreign.text).toContain('Enviado');
  expect(foreign.text).not.toMatch(/Estafeta|8055/i);
  expect(status.body).toMatchObject({ state: 'paid', fulfillment: 'shipped' });
  expect(JSON.stringify(status.body)).not.toContain('8055');
  expect(returned.text).toContain('Tu paquete regresó a la tienda.');
});

test('the packing slip shows recipient and products with quantities, and no price', async () => {
  const { path, order } = await openPaid();

  const { status, text } = await merchant.get(`${path}/packing-slip`);

  expect(status).toBe(200);
  for (const part of [order.number, 'Eva Ruiz Nava', '68000 Oaxaca de Juárez', 'taza-talavera', 'Taza de'])
    expect(text).toContain(part);
  expect(text).not.toMatch(/\$\d/);
});
