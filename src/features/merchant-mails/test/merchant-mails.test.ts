import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import { processInbox, processOutbox, receiveWebhook } from '@tianguis/payments/testing';
import supertest from 'supertest';
import { MINUTE } from '../../../../test/checkout/support.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { address, Customer, mugDelivery } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import {
  openPageOf,
  openPaidPage,
  payAndReturn,
  payByCard,
  placePaidOrder,
} from '../../../../test/support/purchase.js';
import { attemptOf, record } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { brand } from '../../../locales/brand.js';

const MERCHANT = 'avisos@tienda.example';
const shop = await openSharedShop({ env: { MERCHANT_EMAIL: MERCHANT, REFUND_PARTIAL: 'on' } });

async function merchantMails() {
  return (await receiveMails(shop)).filter(({ to }) => to === MERCHANT);
}

async function merchantKeys(): Promise<readonly string[]> {
  const jobs = await shop.queries.selectFrom('outbox').selectAll().orderBy('key').execute();
  return jobs.flatMap(({ job, key }) => (job.startsWith('merchant_') ? [key] : []));
}

async function receiveEvent(session: string): Promise<void> {
  await receiveWebhook(shop.checkout, JSON.stringify({ data: { id: session }, at: Math.random() }));
  await processInbox(shop.checkout);
}

test('two webhooks of a paid order and a repeated job send one mail to the merchant, without a link of the customer', async () => {
  const { customer, session, returnPath } = await openPaidPage(shop, '2');

  await receiveEvent(session);
  shop.clock.advance(MINUTE);
  await receiveEvent(session);
  await customer.get(returnPath);
  await Promise.all([processOutbox(shop.checkout), processOutbox(shop.checkout)]);
  const mails = await merchantMails();

  const order = await theOrder(shop);
  expect(await merchantKeys()).toEqual([`merchant_paid:${order.id}`]);
  expect(mails).toHaveLength(1);
  const { subject, text, html } = mails[0] ?? { subject: '', text: '', html: '' };
  expect(subject).toBe(`El pedido ${order.number} está pagado: $578.00`);
  const address = `${shop.url}/admin/orders/${order.number}`;
  expect(text).toContain('2 × Taza de talavera azul  $578.00');
  for (const form of [text, html]) {
    expect(form).toContain(address);
    expect(form).not.toContain(order.token);
  }
  const history = await findHistory(shop.queries, order.id);
  expect(history.filter(({ detail }) => detail.includes('merchant_paid'))).toMatchObject([{ kind: 'job_done' }]);
  expect(shop.logged.join('')).not.toContain(MERCHANT);
});

test('case 189: the merchant gets one mail about a paid order that the shop failed to continue, and the others later', async () => {
  const page = await openPaidPage(shop);
  const { host } = shop.checkout;
  const { lockGoods } = host;
  Object.assign(host, { lockGoods: () => Promise.reject(new Error('a bug')) });
  await payAndReturn(shop, page).finally(() => Object.assign(host, { lockGoods }));
  const { id: orderId, version } = await theOrder(shop);
  const before = await merchantKeys();

  await shop.checkout.payments.decide({ orderId, version, decision: 'apply_again', by: 'ana', note: '' });

  expect(before).toEqual([`merchant_review:${orderId}:host_failed`]);
  expect(await merchantKeys()).toEqual([`merchant_paid:${orderId}`, ...before]);
});

test('the merchant can pack a paid order from its mail and answer the customer, and the customer can answer the shop', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  await payAndReturn(shop, await openPageOf(shop, customer, mugDelivery));
  const order = await theOrder(shop);

  const [notification] = await merchantMails();
  const receipt = (await receiveMails(shop)).find(({ to }) => to === order.email);

  const line = '1 × Taza enviada a casa  $289.00';
  const { street, neighborhood, delivery_notes } = address;
  const facts = [
    'Eva Ruiz Nava',
    order.email,
    street,
    'Int. 4-B',
    neighborhood,
    '68000',
    'Tel. 951 555 0101',
    delivery_notes,
  ];
  for (const form of [notification?.text, notification?.html]) for (const fact of facts) expect(form).toContain(fact);
  expect(notification?.text).toContain(line);
  expect(notification?.replyTo).toBe(order.email);
  expect(receipt?.replyTo).toBe(MERCHANT);
  // A fee has no quantity.
  for (const { text, html } of [notification, receipt].flatMap((mail) => mail ?? [])) {
    expect(text.match(/\d × /g)).toEqual(['1 × ']);
    expect(html.match(/ × \d/g)).toEqual([' × 1']);
  }
});

test('the logo of a mail is loaded from the shop, and mail programs in a browser may show it', async () => {
  await placePaidOrder(shop);
  const [mail] = await receiveMails(shop);

  const logo = /<img src="([^"]+)" alt="Logo"/.exec(mail?.html ?? '')?.[1];
  const { status, headers } = await supertest(logo ?? `${shop.url}/assets/logo.svg`).get('');

  expect(logo !== undefined).toBe(brand.mailLogo !== undefined);
  expect(logo ?? '').toMatch(new RegExp(`^(?:${shop.url}/assets/|$)`));
  expect([status, headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin']);
});

test.each([
  [100_50, ['está pagado: $188.50']],
  [289_00, []],
])(
  'case 210: a mail of a sale that waited while %i centavos were refunded says what is left, or is not sent',
  async (amount, subjects) => {
    const { session } = await openPaidPage(shop);
    await receiveEvent(session);
    await record(shop, await attemptOf(shop, await theOrder(shop)), { amount: centavos(amount) });

    const mails = await merchantMails();

    const { number, state } = await theOrder(shop);
    expect(state).toBe('paid');
    expect(mails.map(({ subject }) => subject)).toEqual(subjects.map((subject) => `El pedido ${number} ${subject}`));
    for (const { text } of mails) expect(text).toContain('Después de reembolsos quedan $188.50.');
  },
);

test('line breaks and lists in stored names and addresses add no header and no recipient to a mail', async () => {
  const { order } = await placePaidOrder(shop, mugDelivery);
  const injected = 'Eva\r\nBcc: otro@example.com\r\n\r\n';
  const email = `${order.email}, otro@example.com`;
  await shop.queries
    .updateTable('orders')
    .set({ firstName: injected, street: injected, email })
    .where('id', '=', order.id)
    .execute();

  const mails = await receiveMails(shop);

  expect(mails).toHaveLength(2);
  for (const { headers } of mails) expect(headers).not.toContain('Bcc');
  // One recipient: a quoted address, not a list.
  const quoted = '<"eva.ruiz@example.com, otro"@example.com>';
  expect(mails.flatMap(({ to, replyTo }) => [to, replyTo]).sort()).toEqual([quoted, quoted, MERCHANT, MERCHANT]);
});

test('an order that enters review sends one mail to the merchant with the reason', async () => {
  const { customer, returnPath } = await openPaidPage(shop);
  shop.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });

  await customer.get(returnPath);
  await customer.get(returnPath);
  const mails = await merchantMails();
  const order = await theOrder(shop);

  expect(await merchantKeys()).toEqual([`merchant_review:${order.id}:other_amount`]);
  expect(mails).toMatchObject([{ subject: expect.stringContaining(`${order.number} requiere tu revisión`) }]);
  expect(mails[0]?.text).toContain('El monto pagado no es el del pedido.');
  expect(mails[0]?.text).toContain('Estado actual: En revisión.');
});

test('an order whose card payment got no answer sends one mail to the merchant, and a later webhook sends that of the sale', async () => {
  const { control } = shop;
  control.fault('process', { kind: 'drop', when: 'after' }, 1);
  const customer = await Customer.withCart(shop);

  await payByCard(shop, customer);
  await payByCard(shop, customer);
  const mails = await merchantMails();
  const { id, number, state } = await theOrder(shop);
  await receiveEvent(control.payments()[0]?.id ?? '');

  expect(state).toBe('outcome_unknown');
  expect(mails).toMatchObject([{ subject: expect.stringContaining(`${number} requiere tu revisión`) }]);
  expect(mails[0]?.text).toContain('Enviamos el pago y no recibimos respuesta.');
  expect(await merchantKeys()).toEqual([`merchant_paid:${id}`, `merchant_review:${id}:outcome_unknown`]);
});
