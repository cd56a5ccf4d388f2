/** The correction of name, e-mail and phone of an order by a manager. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { allOrders, theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage, openPageOf, payAndReturn, placePaidOrder } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

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

test('case 215: the order that a corrected one replaced follows it: its mails, and its link, which ends too', async () => {
  const earlier = await openHostedPage(shop);
  await earlier.customer.add();
  await openPageOf(shop, earlier.customer);
  const [before, newer] = await allOrders(shop);
  const { number = '', version } = newer ?? {};
  const fields = { version: String(version), ...CORRECTED, customer_new_link: 'yes' };

  await merchant.post(`/admin/orders/${number}/contact`, fields);
  await payAndReturn(shop, earlier);
  const mails = await receiveMails(shop);

  const orders = await allOrders(shop);
  expect(before?.supersededBy).toBe(newer?.id);
  expect(orders.map(({ email }) => email)).toEqual(['ana.luna@example.com', 'ana.luna@example.com']);
  expect((await new Customer(shop).get(earlier.orderPath)).status).toBe(410);
  expect((await earlier.customer.get(earlier.orderPath)).headers['location']).toBe(`/orders/${orders[0]?.token}`);
  expect(orders[0]?.state).toBe('paid');
  expect(mails.filter(({ to }) => to.includes(contact.email)).map(({ subject }) => subject)).toEqual([
    `Este correo ya no recibe avisos del pedido ${number}`,
  ]);
});

test('case 215: a checkout with the former e-mail asks once, and then uses it', async () => {
  const { customer } = await openHostedPage(shop);
  await correct();
  await customer.add();

  const asked = await customer.payHosted();
  const confirmed = await customer.payHosted({ ...contact, email_asked: contact.email });

  expect(asked.status).toBe(422);
  for (const text of ['id="email-error"', 'se reemplazó en el pedido', `name="email_asked" value="${contact.email}"`])
    expect(asked.text).toContain(text);
  expect(confirmed.status).toBe(302);
  expect((await allOrders(shop)).map(({ email }) => email)).toEqual(['ana.luna@example.com', contact.email]);
});

(hasFeature('invoices') ? describe : describe.skip)('with an invoice request', () => {
  const data = { rfc: 'RUNE900228AB1', registered_name: 'Eva Ruiz', tax_regime: '612', cfdi_use: 'G03' };
  const requestInvoice = (customer: Customer, token: string, fields: object = {}) =>
    customer.post(`/orders/${token}/invoice`, { ...data, postal_code: '68000', email: contact.email, ...fields });
  const attach = async (version: string) => {
    const { number } = await theOrder(shop);
    const path = `/admin/orders/${number}/invoice`;
    const file = Buffer.from('%PDF-1.7\n%%EOF');
    const post = merchant.agent.post(`${path}/pdf`).field('version', version).attach('file', file, 'factura.pdf');
    return [await post.redirects(0), await merchant.post(path, { version })].map(resultOf);
  };

  test('case 215: the invoice goes to the corrected e-mail, and the hook runs again', async () => {
    const { customer, order } = await placePaidOrder(shop);
    await requestInvoice(customer, order.token);
    await receiveMails(shop);
    await correct();

    const results = [...(await attach('1')), ...(await attach('2'))];
    const mails = await receiveMails(shop);

    expect(results).toEqual(['invoice_closed', 'invoice_closed', 'invoice_attached', 'invoice_issued']);
    const issued = mails.filter(({ subject }) => subject.startsWith('Factura del pedido'));
    expect(issued.map(({ to }) => to)).toEqual(['ana.luna@example.com']);
    const jobs = await queries.selectFrom('outbox').select('key').where('job', '=', 'on_invoice_requested').execute();
    expect(jobs.map(({ key }) => key.split(':').at(-1))).toEqual(expect.arrayContaining(['1', '2']));
  });

  test('case 215: the invoice keeps an address that is not that of the order', async () => {
    const { customer, order } = await placePaidOrder(shop);
    await requestInvoice(customer, order.token, { email: 'facturas@example.com' });

    await correct();

    expect(await attach('1')).toEqual(['invoice_attached', 'invoice_issued']);
    expect((await receiveMails(shop)).find(({ subject }) => subject.startsWith('Factura del'))?.to).toBe(
      'facturas@example.com',
    );
  });

  test('case 215: an invoice form that was open before the correction asks once, and the merchant sees the former address', async () => {
    const { customer, order } = await placePaidOrder(shop);
    await correct();

    const asked = await requestInvoice(customer, order.token);
    const confirmed = await requestInvoice(customer, order.token, { email_asked: contact.email });
    const page = await merchant.get(`/admin/orders/${order.number}`);

    expect(asked.status).toBe(422);
    for (const text of ['id="email-error"', `name="email_asked" value="${contact.email}"`])
      expect(asked.text).toContain(text);
    expect(confirmed.status).toBe(303);
    expect(page.text).toContain('El correo de la factura se reemplazó después en el pedido');
  });

  test('case 215: a link to the invoice form that the former e-mail got changes nothing after the correction', async () => {
    const { customer, order } = await placePaidOrder(shop);
    await requestInvoice(customer, order.token);
    const holder = new Customer(shop);
    await holder.post(`/orders/${order.token}/invoice/link`, {});
    const link = /invoice\?link=([\w-]+)/.exec((await receiveMails(shop)).map(({ text }) => text).join())?.[1] ?? '';
    await correct();

    const answer = await requestInvoice(holder, order.token, { link, email: 'otra@example.com' });

    expect([link === '', answer.status]).toEqual([false, 403]);
  });
});
