import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { processOutbox } from '@tianguis/payments/testing';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { address, mugDelivery } from '../../../../test/support/customer.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { erasePersonalData } from '../../../tables/personal-data.js';

const MERCHANT = 'avisos@tienda.example';
const shop = await openFileShop({ env: { MERCHANT_EMAIL: MERCHANT } });
const { queries } = shop;
await addUser(shop, 'ana', 'fulfillment');
const employee = await openBackOffice(shop, 'ana');
const manager = await openBackOffice(shop);

const ELSEWHERE = {
  ...address,
  street: 'Privada Escondida 99',
  municipality: 'Zapopan',
  state: 'JAL',
  postal_code: '45010',
};

async function openPaid() {
  const { order, customer } = await placePaidOrder(shop, mugDelivery);
  const path = `/admin/orders/${order.number}`;
  const read = () => queries.selectFrom('orders').selectAll().where('id', '=', order.id).executeTakeFirstOrThrow();
  return {
    ...{ order, customer, path, read },
    changeTo: async (fields: object) =>
      employee.post(`${path}/address`, { ...fields, version: String((await read()).version) }),
    former: () =>
      queries.selectFrom('formerAddresses').selectAll().where('orderId', '=', order.id).orderBy('id').execute(),
  };
}

/** Runs all due jobs and returns the mails with this subject. */
async function mailsWith(subject: string) {
  while ((await processOutbox(shop.checkout)) > 0);
  return (await receiveMails(shop)).filter((mail) => mail.subject === subject);
}

test('a user who changes the address, and changes it back, leaves both former addresses, and customer and merchant get a mail about each', async () => {
  const { order, path, changeTo, former } = await openPaid();

  const answers = [await changeTo(ELSEWHERE), await changeTo(address), await changeTo(address)];

  expect(answers.map(resultOf)).toEqual(['address_corrected', 'address_corrected', 'address_unchanged']);
  const rows = await former();
  expect(rows.map(({ by, address: stored }) => [by, (JSON.parse(stored) as { street: string }).street])).toEqual([
    ['ana', address.street],
    ['ana', ELSEWHERE.street],
  ]);
  const history = await findHistory(queries, order.id);
  const events = history.filter(({ kind }) => kind === 'address_corrected');
  expect(events.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual(
    rows.map(({ id }) => ({ by: 'ana', formerAddress: id })),
  );
  const subject = `Cambió la dirección de entrega del pedido ${order.number}`;
  const mails = await mailsWith(subject);
  const toCustomer = mails.filter(({ to }) => to.includes(order.email));
  const toMerchant = mails.filter(({ to }) => to.includes(MERCHANT));
  expect([toCustomer.length, toMerchant.length]).toEqual([2, 2]);
  const both = [
    'Calle Macedonio Alcalá 507, Int. 4-B, Centro, 68000 Oaxaca',
    'Privada Escondida 99, Int. 4-B, Centro, 45010',
  ];
  for (const { text } of mails) for (const part of both) expect(text.replace(/\s+/g, ' ')).toContain(part);
  for (const { text } of toMerchant) expect(text).toContain('ana');
  for (const { text } of toCustomer) expect(text).not.toMatch(/\bana\b/);
  for (const { text } of toMerchant) expect(text).not.toContain(order.token);
  const page = await manager.get(path);
  for (const part of ['Direcciones anteriores', 'Privada Escondida 99']) expect(page.text).toContain(part);
  expect(shop.logged.join('')).not.toMatch(/Escondida|Alcalá/);
});

test('the address of a shipped order is refused, and open again after a return to preparation', async () => {
  const { order, path, changeTo, former } = await openPaid();
  const setState = (state: 'shipped' | 'preparing') =>
    queries.updateTable('fulfillments').set({ state }).where('orderId', '=', order.id).execute();
  await setState('shipped');
  const page = await employee.get(path);

  await expectUnchanged(shop, async () => {
    expect(resultOf(await changeTo(ELSEWHERE))).toBe('address_not_open');
  });
  await setState('preparing');

  expect(page.text).not.toContain('admin-address-save');
  expect(resultOf(await changeTo(ELSEWHERE))).toBe('address_corrected');
  expect(await former()).toHaveLength(1);
});

test('an erasure removes the former addresses of an order, and its waiting mails are not sent', async () => {
  const { order, changeTo, former } = await openPaid();
  const corrected = resultOf(await changeTo(ELSEWHERE));

  await shop.checkout.db.transaction((transaction) => erasePersonalData(transaction, [order.id]));

  expect([corrected, await former()]).toEqual(['address_corrected', []]);
  expect(await mailsWith(`Cambió la dirección de entrega del pedido ${order.number}`)).toEqual([]);
});
