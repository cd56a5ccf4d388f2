import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { processOutbox, refundPayment } from '@tianguis/payments/testing';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { cellsInExport } from '../../../../test/support/csv.js';
import { Customer, mugDelivery, mugPickup } from '../../../../test/support/customer.js';
import { allAttempts } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { refunding, requestOf } from '../../../../test/support/refunds.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { brand } from '../../../locales/brand.js';
import { shipments } from '../feature.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);

const ESTAFETA = { to: 'shipped', carrier: 'estafeta', tracking_number: '8055 2415 2846 4720 0993 14' };
const NUMBER = '8055241528464720099314';
const DHL = { to: 'shipped', carrier: 'dhl', tracking_number: '1234567890' };

async function openPaid() {
  const opened = await placePaidOrder(shop, mugDelivery);
  const path = `/admin/orders/${opened.order.number}`;
  return { ...opened, path, change: (fields: object) => merchant.post(`${path}/fulfillment`, fields) };
}

async function eventsOf(orderId: string) {
  const events = queries.selectFrom('orderEvents').select('detail').where('orderId', '=', orderId);
  const changes = await events.where('kind', '=', 'fulfillment_changed').orderBy('id').execute();
  return changes.map(({ detail }) => JSON.parse(detail) as unknown);
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
    await change({ ...DHL, version: '2', shipment_reason: 'no es necesario' }),
    await change({ to: 'delivered', version: '3' }),
    await change({ ...DHL, version: '4', shipment_reason: ' Se marcó  por error ' }),
    await change({ to: 'preparing', version: '5', fulfillment_reason: 'Regresó al almacén' }),
  ];
  const page = await merchant.get(path);

  expect(answers.map(resultOf)).toEqual(answers.map(() => 'fulfillment_done'));
  const current = queries.selectFrom('fulfillments').selectAll().where('orderId', '=', order.id);
  expect(await current.executeTakeFirst()).toMatchObject({ state: 'preparing', carrier: null, version: 6 });
  const dhl = { carrier: 'dhl', trackingNumber: '1234567890', by: 'admin' };
  expect(await eventsOf(order.id)).toEqual([
    { from: 'preparing', to: 'shipped', carrier: 'estafeta', trackingNumber: NUMBER, by: 'admin' },
    { from: 'shipped', to: 'shipped', ...dhl },
    { from: 'shipped', to: 'delivered', ...dhl },
    { from: 'delivered', to: 'shipped', ...dhl, note: 'Se marcó por error' },
    { from: 'shipped', to: 'preparing', by: 'admin', note: 'Regresó al almacén' },
  ]);
  for (const text of [`Número de guía: ${NUMBER}.`, 'Ahora: Enviado.', 'Usuario: admin.', 'Nota: Regresó al almacén'])
    expect(page.text).toContain(text);
  const logged = shop.logged.filter((line) => line.includes('"fulfillment.changed"'));
  expect(logged.join('')).toContain(order.number);
  expect(logged.join('')).not.toMatch(/80552415|1234567890|@/);
});

test('a fulfillment that goes back without a reason, or with a card number as its reason, is refused at the field and changes nothing', async () => {
  const { path, change } = await openPaid();
  await change({ ...ESTAFETA, version: '1' });
  await change({ to: 'delivered', version: '2' });

  await expectUnchanged(shop, async () => {
    const again = await change({ ...DHL, version: '3' });
    const blank = await change({ ...DHL, version: '3', shipment_reason: ' ' });
    const card = await change({ ...DHL, version: '3', shipment_reason: '4111 1111 1111 1111' });
    const page = await merchant.get(path);

    expect([again.status, blank.status, card.status]).toEqual([422, 422, 422]);
    for (const { text } of [again, blank, card]) expect(text).toContain('id="shipment_reason-error"');
    expect(again.text).toContain('value="1234567890"');
    expect(card.text).not.toContain('4111 1111');
    expect(page.text).toContain('name="shipment_reason"');
  });
  await change({ ...DHL, version: '3', shipment_reason: 'Otro paquete' });

  const back = await change({ to: 'preparing', version: '4' });

  expect([back.status, back.text.includes('id="fulfillment_reason-error"')]).toEqual([422, true]);
});

test('the customer gets one mail with the tracking link, although the job runs again and the parcel is corrected', async () => {
  const { order, orderPath, change } = await openPaid();

  await change({ ...ESTAFETA, version: '1' });
  const first = await mailsAbout(order);
  await queries.updateTable('outbox').set({ doneAt: null, nextAt: 1 }).where('job', '=', 'shipped').execute();
  const again = await mailsAbout(order);
  await change({ to: 'shipped', carrier: 'fedex', tracking_number: '123456789012', version: '2' });
  const after = await mailsAbout(order);
  const jobs = await queries.selectFrom('outbox').select('job').where('orderId', '=', order.id).execute();

  const [mail] = first;
  expect([first, again, after].map(({ length }) => length)).toEqual([1, 1, 1]);
  expect(after).toEqual(first);
  expect(mail?.to).toContain(order.email);
  const link = `https://cs.estafeta.com/es/Tracking/searchByGet?wayBillType=0&wayBill=${NUMBER}`;
  for (const text of [NUMBER, 'Estafeta', link, `${shop.url}${orderPath}`]) expect(mail?.text).toContain(text);
  expect(mail?.html).toContain(link.replace('&', '&amp;'));
  expect(jobs.filter(({ job }) => job === 'shipped')).toHaveLength(1);
});

test('a change of the fulfillment that its state or version does not allow, or with a card number as its tracking number, changes nothing', async () => {
  const { change } = await openPaid();
  const card = { to: 'shipped', carrier: 'fedex', tracking_number: '4111 1111 1111 1111', version: '1' };

  await expectUnchanged(shop, async () => {
    const refused = await change(card);
    const answers = [
      await change({ to: 'delivered', version: '1' }),
      await change({ to: 'picked_up', version: '7' }),
      await change({ to: 'picked_up' }),
      await change({ ...card, tracking_number: 'AB-77', version: '7' }),
    ];

    expect(answers.map(resultOf)).toEqual(['fulfillment_not_allowed', undefined, undefined, undefined]);
    expect(answers.map(({ status }) => status)).toEqual([303, 409, 409, 409]);
    expect(answers.at(-1)?.text).toContain('value="AB-77"');
    expect(refused.status).toBe(422);
    for (const part of ['id="tracking_number-error"', 'Esto parece un número de tarjeta.'])
      expect(refused.text).toContain(part);
    expect(refused.text).toContain('<option value="fedex" selected>');
    expect(refused.text).not.toContain('4111 1111');
  });
});

test('an order in review can neither be shipped nor printed as a packing slip', async () => {
  const { order, path, change } = await openPaid();
  const review = { reviewReason: 'second_payment' } as const;
  await queries.updateTable('orders').set(review).where('id', '=', order.id).execute();

  await expectUnchanged(shop, async () => {
    const answers = [await change({ ...ESTAFETA, version: '1' }), await merchant.get(`${path}/packing-slip`)];
    const page = await merchant.get(path);

    expect(answers.map(resultOf)).toEqual(['fulfillment_not_allowed', 'no_slip']);
    expect(page.text).toContain('No envíes ni entregues este pedido');
    expect(page.text).not.toContain(`${path}/fulfillment`);
  });
});

test('the order page begins with the state of the goods and the tracking link, also for other holders of the order link', async () => {
  const { customer, order, orderPath, change } = await openPaid();
  const other = new Customer(shop);
  const readHeading = async () => /<h1>(.*)<\/h1>/.exec((await customer.get(orderPath)).text)?.[1];
  const headings = [await readHeading()];

  await change({ ...ESTAFETA, version: '1' });
  const own = await customer.get(orderPath);
  const foreign = await other.get(orderPath);
  const status = await other.get(`${orderPath}/status`);
  headings.push(await readHeading());
  await change({ to: 'delivered', version: '2' });
  headings.push(await readHeading());
  await change({ to: 'returned', version: '3' });
  headings.push(await readHeading());
  const returned = await customer.get(orderPath);
  await queries.updateTable('attempts').set({ state: 'refunded' }).where('orderId', '=', order.id).execute();
  const refunded = await customer.get(orderPath);

  expect(headings).toEqual([
    'Pagado. Estamos preparando tu pedido',
    'Tu pedido va en camino',
    'Tu pedido ya se entregó',
    'Tu paquete regresó a la tienda',
  ]);
  for (const { text } of [own, foreign])
    expect(text).toMatch(
      new RegExp(String.raw`<a class="button" href="https://cs.estafeta.com/[\s\S]*Estafeta[\s\S]*>${NUMBER}<`),
    );
  expect(foreign.text).not.toMatch(/\bEva\b|Ruiz Nava|Macedonio/);
  // The carrier or the customer may have sent it back.
  for (const words of ['Si tú lo devolviste', 'Si no te llegó']) expect(returned.text).toContain(words);
  expect(status.body).toMatchObject({ state: 'paid', fulfillment: 'shipped' });
  expect(JSON.stringify(status.body)).not.toContain(NUMBER);
  // The money comes first. The parcel has its own section.
  expect(refunded.text).toMatch(/<h1>Te devolvimos el pago[\s\S]*data-test="order-fulfillment"[\s\S]*Devuelto/);
});

test('an order for pickup that is ready sends one mail, and its page says where it is until it is collected', async () => {
  const pickup = { ...mugDelivery, ...mugPickup };
  const { customer, order, orderPath } = await placePaidOrder(shop, pickup);
  const path = `/admin/orders/${order.number}`;
  const change = (fields: object) => merchant.post(`${path}/fulfillment`, fields);
  const where = `Recógelo en ${brand.merchant.address}.`;
  const mailed = async () => (await receiveMails(shop)).filter(({ subject }) => subject.endsWith('listo para recoger'));

  const refused = await change({ ...ESTAFETA, version: '1' });
  const answers = [await change({ to: 'ready', version: '1' })];
  const [mail, ...others] = await mailed();
  const page = await customer.get(orderPath);
  const cells = await cellsInExport(shipments, shop, order);
  const history = await merchant.get(path);
  answers.push(await change({ to: 'preparing', version: '2', fulfillment_reason: 'Falta una pieza' }));
  answers.push(await change({ to: 'ready', version: '3' }));
  answers.push(await change({ to: 'picked_up', version: '4' }));
  const again = await mailed();
  const collected = await customer.get(orderPath);

  expect(resultOf(refused)).toBe('fulfillment_not_allowed');
  expect(answers.map(resultOf)).toEqual(answers.map(() => 'fulfillment_done'));
  expect(mail).toMatchObject({ to: order.email, subject: `Tu pedido ${order.number} está listo para recoger` });
  expect([others, again]).toEqual([[], [mail]]);
  for (const text of [mail?.text, page.text]) expect(text?.replace(/\s+/g, ' ')).toContain(where);
  expect(page.text).toContain('<h1>Tu pedido está listo para recoger</h1>');
  expect(cells['Estado de la entrega']).toBe('Listo para recoger');
  for (const text of ['Ahora: Listo para recoger.', 'admin-to-picked_up']) expect(history.text).toContain(text);
  expect(collected.text).toContain('<h1>Tu pedido ya se recogió</h1>');
  expect(collected.text).not.toContain(where);
});

test('the page of an order that must not be handed over does not say that it is ready', async () => {
  const { customer, order, orderPath } = await openPaid();
  await queries.updateTable('fulfillments').set({ state: 'ready' }).where('orderId', '=', order.id).execute();
  await queries.updateTable('orders').set({ reviewReason: 'second_payment' }).where('id', '=', order.id).execute();

  const { text } = await customer.get(orderPath);

  expect(text).not.toContain('listo para recoger');
});

test('the customer of an order for pickup reads at the checkout, on the order page and in the receipt where to come and when', async () => {
  const pickup = { ...mugDelivery, ...mugPickup };
  const { customer, order, orderPath } = await placePaidOrder(shop, pickup);
  const next = await Customer.withCart(shop, { product_id: SHIPPED });
  while ((await processOutbox(shop.context.checkout)) > 0);
  const mails = await receiveMails(shop);

  const receipt = mails.find(({ subject }) => subject === `Recibo de tu pedido ${order.number}`);
  const texts = [
    (await next.get('/checkout')).text,
    (await customer.get(orderPath)).text,
    receipt?.text.replace(/\s+/g, ' '),
  ];
  for (const text of texts)
    expect(text).toContain(`Lo recoges en ${brand.merchant.address}. Te escribimos cuando esté listo.`);
});

test('the packing slip shows recipient and products with quantities, and no price', async () => {
  const { path, order } = await openPaid();

  const { status, text } = await merchant.get(`${path}/packing-slip`);

  expect(status).toBe(200);
  for (const part of [order.number, 'Eva Ruiz Nava', '68000 Oaxaca de Juárez', SHIPPED, 'Taza enviada'])
    expect(text).toContain(part);
  expect(text).not.toMatch(/\$\d/);
});

test('an opened packing slip is logged with the user and the order', async () => {
  const { path, order } = await openPaid();
  shop.logged.length = 0;

  await merchant.get(`${path}/packing-slip`);

  expect(shop.logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { route: '/admin/orders/:number/packing-slip', user: 'admin', order: order.number, status: 200 },
  ]);
});

test('a user of the role viewer sees the fulfillment of an order, and neither its forms nor the packing slip', async () => {
  const { path } = await openPaid();
  const parts = ['admin-fulfillment', 'admin-ship', '/packing-slip'];
  const shown: string[][] = [];

  for (const role of ['viewer', 'fulfillment', 'manager'] as const) {
    await addUser(shop, role, role);
    const { text } = await (await openBackOffice(shop, role)).get(path);
    shown.push(parts.filter((part) => text.includes(part)));
  }

  expect(shown).toEqual([['admin-fulfillment'], parts, parts]);
});

test('an order of which a part was refunded is still being prepared', async () => {
  const { orderPath, order, customer } = await openPaid();
  const [attempt] = (await allAttempts(shop)).filter(({ orderId }) => orderId === order.id);
  if (!attempt) throw new Error('no attempt');
  const context = refunding(shop);
  const part = await requestOf(shop, attempt, { way: 'record', amount: centavos(100) });

  const result = await refundPayment({ ...context, config: { ...context.config, partialRefunds: true } }, part);
  const page = await customer.get(orderPath);

  expect(result.kind).toBe('done');
  expect(page.text).toContain('Estamos preparando tu pedido');
});
