import { expect, test } from '@jest/globals';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { receiveWebhook } from '../../src/checkout/receive-webhook.js';
import { findHistory } from '../../src/db/history.js';
import { theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { MINUTE } from './support.js';

const MERCHANT = 'avisos@tienda.example';
const env = { MERCHANT_EMAIL: MERCHANT };

async function merchantMails(shop: TestShop) {
  return (await receiveMails(shop)).filter(({ to }) => to === MERCHANT);
}

async function merchantKeys(shop: TestShop): Promise<readonly string[]> {
  const { queries } = shop.context.checkout.db;
  const jobs = await queries.selectFrom('outbox').selectAll().orderBy('key').execute();
  return jobs.flatMap(({ job, key }) => (job.startsWith('merchant_') ? [key] : []));
}

async function receiveEvent(shop: TestShop, session: string): Promise<void> {
  await receiveWebhook(shop.context.checkout, JSON.stringify({ data: { id: session }, at: Math.random() }));
  await processInbox(shop.context.checkout);
}

test('two webhooks of a paid order and a repeated job send one mail to the merchant, without a link of the customer', async () => {
  await using shop = await openTestShop({ env });
  const { customer, session, returnPath } = await openHostedPage(shop, '2');
  shop.simulator.control.paySession(session);

  await receiveEvent(shop, session);
  shop.clock.advance(MINUTE);
  await receiveEvent(shop, session);
  await customer.get(returnPath);
  await Promise.all([processOutbox(shop.context.checkout), processOutbox(shop.context.checkout)]);
  const mails = await merchantMails(shop);

  const order = await theOrder(shop);
  expect(await merchantKeys(shop)).toEqual([`merchant_paid:${order.id}`]);
  expect(mails).toHaveLength(1);
  const { subject, text, html } = mails[0] ?? { subject: '', text: '', html: '' };
  expect(subject).toBe(`El pedido ${order.number} está pagado: $578.00`);
  const address = `${shop.url}/admin/orders/${order.number}`;
  for (const part of [
    order.number,
    '2 × Taza de talavera azul  $578.00',
    'Eva Ruiz Nava, eva.ruiz@example.com',
  ])
    expect(text).toContain(part);
  for (const form of [text, html]) {
    expect(form).toContain(address);
    expect(form).not.toContain(order.token);
  }
  const done = (await findHistory(shop.context.checkout.db.queries, order.id)).filter(
    ({ kind, detail }) => kind === 'job_done' && detail.includes('merchant_paid'),
  );
  expect(done).toHaveLength(1);
  expect(shop.logged.join('')).not.toContain(MERCHANT);
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['other_amount', { amount_total: 1 }, 'El monto pagado no es el del pedido.'],
  ['unclear_status', { status: 'weird' }, 'La pasarela devolvió un estado desconocido.'],
])('an order that enters review with %s sends one mail to the merchant with the reason', async (...row) => {
  const [reason, set, text] = row;
  await using shop = await openTestShop({ env });
  const { customer, session, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set });

  await customer.get(returnPath);
  await customer.get(returnPath);
  const mails = await merchantMails(shop);
  const order = await theOrder(shop);

  expect(await merchantKeys(shop)).toEqual([`merchant_review:${order.id}:${reason}`]);
  expect(mails).toMatchObject([{ subject: expect.stringContaining(`${order.number} requiere tu revisión`) }]);
  expect(mails[0]?.text).toContain(text);
  expect(mails[0]?.text).toContain('Estado actual: En revisión.');
});

test('a shop without the address of a merchant queues no mail to the merchant', async () => {
  await using shop = await openTestShop();
  const { customer, session, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  await customer.get(returnPath);

  expect((await theOrder(shop)).state).toBe('paid');
  expect(await merchantKeys(shop)).toEqual([]);
});
