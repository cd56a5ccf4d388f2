import { expect, test } from '@jest/globals';
import { queueJob } from '@tianguis/payments/back-office';
import { processOutbox } from '@tianguis/payments/testing';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { CARDS, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

const shop = await openSharedShop();

/** Returns the text of the evidence of the only order. */
async function readEvidence(): Promise<string> {
  const { number } = await theOrder(shop);
  const { text } = await (await openBackOffice(shop)).get(`/admin/orders/${number}/evidence`);
  const [article = ''] = /<article[\s\S]*<\/article>/.exec(text) ?? [];
  return article.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

test('the evidence of a paid order has its customer, purchase, payment, tracking, mails and history, and no card data', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.paid);
  while ((await processOutbox(shop.checkout)) > 0);
  const parcel = { carrier: 'dhl', trackingNumber: '1234567890', state: 'shipped' } as const;
  await shop.queries.updateTable('fulfillments').set(parcel).execute();
  const { number } = await theOrder(shop);

  const text = await readEvidence();

  const [attempt] = await shop.queries.selectFrom('attempts').selectAll().execute();
  for (const stored of [number, 'eva.ruiz@example.com', 'Taza de talavera azul', '$289.00', attempt?.gatewayId ?? '-'])
    expect(text).toContain(stored);
  expect(text).toContain('La pasarela no pidió una verificación en el banco.');
  expect(text).toContain('Número de guía 1234567890');
  expect(text).toMatch(/Correos enviados al cliente [^:]+:\d+ [ap]\.m\.: Recibo por correo Historial/);
  expect(text).toContain('El pedido cambió de estado.');
  expect(text).not.toContain(CARDS.paid);
});

const testParcelMail = hasFeature('shipments') ? test : test.skip;

testParcelMail('the evidence lists no mail that was not sent, because the parcel was delivered before', async () => {
  await payByCard(shop, await Customer.withCart(shop), CARDS.paid);
  const { id: orderId } = await theOrder(shop);
  await queueJob(shop.queries, { key: `shipped:${orderId}:1`, orderId, job: 'shipped', at: 0 });
  await shop.queries.updateTable('fulfillments').set({ state: 'delivered' }).execute();
  while ((await processOutbox(shop.checkout)) > 0);

  const text = await readEvidence();

  expect(text).toMatch(/Correos enviados al cliente [^:]+:\d+ [ap]\.m\.: Recibo por correo Historial/);
  expect(text).toContain('Ya no hacía falta un correo');
});

test('the evidence of a challenged card payment says that the bank was asked, and when the customer returned', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.challenged);
  const asked = await readEvidence();
  await customer.get(`/checkout/return/${(await theOrder(shop)).token}`);

  const returned = await readEvidence();

  expect(asked).toContain('La pasarela envió al cliente a la página de su banco. ');
  expect(asked).not.toContain('El cliente volvió');
  expect(returned).toContain('El cliente volvió de la página de su banco el ');
});

test.each(['viewer', 'fulfillment'] as const)(
  'a user with the role %s has neither the evidence nor its link',
  async (role) => {
    await payByCard(shop, await Customer.withCart(shop), CARDS.paid);
    await addUser(shop, `user-${role}`, role);
    const user = await openBackOffice(shop, `user-${role}`);
    const page = `/admin/orders/${(await theOrder(shop)).number}`;

    const evidence = await user.get(`${page}/evidence`);
    const order = await user.get(page);

    expect([evidence.status, order.status, order.text.includes('/evidence"')]).toEqual([403, 200, false]);
  },
);
