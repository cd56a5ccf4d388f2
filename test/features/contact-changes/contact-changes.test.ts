/** The correction of name, e-mail and phone of an order by a manager. */
import { beforeEach, expect, test } from '@jest/globals';
import { openBackOffice, resultOf } from '../../support/admin.js';
import { Customer } from '../../support/customer.js';
import { hasFeature } from '../../support/features.js';
import { theOrder } from '../../support/inspect.js';
import { receiveMails } from '../../support/mailbox.js';
import { openHostedPage, placePaidOrder } from '../../support/purchase.js';
import { openSharedShop } from '../../support/shared-shop.js';

const shop = await openSharedShop();
const { queries } = shop.context.checkout.db;
let merchant: Awaited<ReturnType<typeof openBackOffice>>;

beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

const CORRECTED = {
  customer_first_name: 'Ana María',
  customer_last_name: 'Luna',
  customer_email: 'ana.luna@example.com',
  customer_phone: '',
};

async function correct(change: Partial<typeof CORRECTED & { readonly customer_new_link: string }> = {}) {
  const { number, version } = await theOrder(shop);
  return merchant.post(`/admin/orders/${number}/contact`, { version: String(version), ...CORRECTED, ...change });
}

test('a corrected e-mail gets the link, the former one gets a notice without link or data, and the browser keeps the order', async () => {
  const { customer, orderPath } = await placePaidOrder(shop);
  const before = await theOrder(shop);
  const earlier = await receiveMails(shop);

  const answer = await correct();
  const mails = (await receiveMails(shop)).filter(({ subject }) => !earlier.some((mail) => mail.subject === subject));

  const order = await theOrder(shop);
  const page = await merchant.get(`/admin/orders/${order.number}`);
  const [toNew] = mails.filter(({ to }) => to.includes('ana.luna@example.com'));
  const [toFormer] = mails.filter(({ to }) => to.includes(before.email));
  expect(resultOf(answer)).toBe('contact_corrected');
  expect(order).toMatchObject({
    firstName: 'Ana María',
    lastName: 'Luna',
    email: 'ana.luna@example.com',
    state: 'paid',
  });
  expect(toNew?.text).toContain(order.token);
  expect(`${toFormer?.text}${toFormer?.html}`).not.toMatch(new RegExp(`${order.token}|ana\\.luna|Luna`));
  expect((await customer.get(orderPath)).text).toContain('data-test="person"');
  for (const text of [before.email, 'Un usuario del panel corrigió los datos del cliente'])
    expect(page.text).toContain(text);
  expect((await merchant.get('/admin/orders?q=luna')).text).toContain(order.number);
  expect(shop.logged.join('')).not.toContain('ana.luna');
});

test('after two corrections in a row the last e-mail gets one mail, and the one between gets the notice', async () => {
  await placePaidOrder(shop);
  await receiveMails(shop);
  const [first, last] = ['primera@example.com', 'segunda@example.com'];
  await correct({ customer_email: first });
  await correct({ customer_email: last });

  const mails = await receiveMails(shop);

  const { token } = await theOrder(shop);
  const linksTo = (email: string) =>
    mails.filter(({ to }) => to.includes(email)).map(({ text }) => text.includes(token));
  expect([linksTo(first), linksTo(last)]).toEqual([[false], [true]]);
});

test('an invalid e-mail is an error at its field, the typed values stay, and nothing is saved', async () => {
  await openHostedPage(shop);
  const before = await theOrder(shop);

  const answer = await correct({ customer_email: 'ana.luna' });

  expect(answer.status).toBe(422);
  for (const text of ['id="customer_email-error"', 'value="ana.luna"', 'value="Ana María"'])
    expect(answer.text).toContain(text);
  expect(await theOrder(shop)).toEqual(before);
});

test('two corrections at once: one is saved, and the other sees the changed order', async () => {
  await placePaidOrder(shop);

  const answers = await Promise.all([correct(), correct({ customer_first_name: 'Eva' })]);

  expect(answers.filter(({ status }) => status === 303).map(resultOf)).toEqual(['contact_corrected']);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await queries.selectFrom('formerContacts').select('by').execute()).toHaveLength(1);
});

test('a corrected name of an order without an e-mail address queues no mail', async () => {
  await placePaidOrder(shop);
  await receiveMails(shop);
  await queries.updateTable('orders').set({ email: '', phone: '9511234567' }).execute();

  const answer = await correct({ customer_email: '', customer_phone: '951 123 4567' });

  const jobs = await queries.selectFrom('outbox').select('job').where('doneAt', 'is', null).execute();
  expect(resultOf(answer)).toBe('contact_corrected');
  expect(jobs).toEqual([]);
});

test('after a new link the former one shows nothing, leads its own customer on, and serves the return of an open payment', async () => {
  const { customer, session, returnPath } = await openHostedPage(shop);
  const before = await theOrder(shop);

  const answer = await correct({ customer_new_link: 'yes' });

  const order = await theOrder(shop);
  const former = `/orders/${before.token}`;
  const stranger = new Customer(shop);
  const payLink = hasFeature('pay-link') ? [`${former}/pay`] : [];
  const invoice = hasFeature('invoices') ? [`${former}/invoice`] : [];
  expect(resultOf(answer)).toBe('contact_corrected');
  expect(order.token).not.toBe(before.token);
  for (const path of [former, `${former}/status`, ...payLink, ...invoice]) {
    const shown = await stranger.get(path);
    expect(shown.status).toBe(410);
    expect(shown.text).not.toMatch(new RegExp(`${order.number}|${order.token}|ana\\.luna|Luna`));
    expect((await customer.get(path)).headers['location']).toBe(path.replace(before.token, order.token));
  }
  // A page that was open before posts its form again, with what was typed.
  for (const path of payLink) {
    const posted = await customer.post(`${path}/hosted`, {});
    expect([posted.status, posted.headers['location']]).toEqual([307, `/orders/${order.token}/pay/hosted`]);
  }
  shop.clock.advance(5_000);
  shop.control.paySession(session);
  const returned = await stranger.get(returnPath);
  expect(returned.headers['location']).toBe(former);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid' });
  expect((await receiveMails(shop)).find(({ to }) => to.includes(before.email))?.text).not.toContain(order.token);
  expect((await stranger.get(`/checkout/return/${'x'.repeat(32)}`)).status).toBe(404);
});
