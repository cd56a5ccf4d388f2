/** Orders of the merchant with a phone number and without an e-mail address. */
import { expect, test } from '@jest/globals';
import { orderStates } from '../../../../test/checkout/support.js';
import { openBackOffice } from '../../../../test/support/admin.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { CARDS } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { NEW, review } from './support.js';

const shop = await openSharedShop();

async function create(fields: object) {
  const merchant = await openBackOffice(shop);
  await merchant.post(NEW, (await review(merchant, fields)).confirmed);
  const order = await theOrder(shop);
  return { merchant, order, link: `/orders/${order.token}/pay` };
}

const jobs = async () => (await shop.queries.selectFrom('outbox').select('job').execute()).map(({ job }) => job);

test('the link of an order with name and e-mail address asks for neither, pays with both, and shows none', async () => {
  const { link } = await create({});
  const holder = new Customer(shop);

  const page = await holder.get(link);
  const opened = await holder.post(`${link}/hosted`, {});

  expect(opened.status).toBe(302);
  for (const shown of [contact.first_name, contact.last_name, contact.email, 'name="email"'])
    expect(page.text).not.toContain(shown);
  const { first_name, last_name, email } = contact;
  expect(shop.control.sessions()[0]?.request.customer).toEqual({ first_name, last_name, email });
});

test('an order with a phone number only is paid with a typed e-mail address, and queues no mail to the customer', async () => {
  const { order, link, merchant } = await create({ email: '', phone: '55 1234 5678' });
  const holder = new Customer(shop);

  const page = await holder.get(`${link}/card`);
  const refused = await holder.post(`${link}/card`, { ...shop.control.tokenizeCard(CARDS.paid) });
  const unpaid = await merchant.get(`/admin/orders/${order.number}`);
  await holder.post(`${link}/card`, { email: 'luz@example.com', ...shop.control.tokenizeCard(CARDS.paid) });
  const list = await merchant.get('/admin/orders');

  expect([page.text.includes('name="email"'), page.text.includes('name="first_name"')]).toEqual([true, false]);
  expect(refused.text).toContain('id="email-error"');
  expect(unpaid.text).toContain('tel:+525512345678');
  expect(unpaid.text).not.toContain('admin-mail-link');
  expect([await orderStates(shop), list.text.includes('5512345678')]).toEqual([['paid'], true]);
  expect(await jobs()).not.toContain('receipt');
  expect((await holder.get(`/orders/${order.token}`)).text).not.toContain('Te mandamos el recibo');
  expect((await receiveMails(shop)).filter(({ to }) => to === '' || to === 'luz@example.com')).toEqual([]);
});
