import { expect, test } from '@jest/globals';
import { processOutbox } from '@tianguis/payments/testing';
import { addUser, openBackOffice, ROLES } from '../../../../test/support/admin.js';
import { cellsInExport } from '../../../../test/support/csv.js';
import { Customer } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage, placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { erasePersonalData } from '../../../tables/personal-data.js';
import { invoices } from '../feature.js';
import { invoiceForm as fields, invoiceReceiver as stored } from './invoice-form.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;

const PERSONAL = [stored.rfc, stored.name, stored.email, fields.registered_name];

async function openPaid() {
  const opened = await placePaidOrder(shop);
  return { ...opened, path: `${opened.orderPath}/invoice` };
}

const requestOf = ({ id }: { readonly id: string }) =>
  queries.selectFrom('invoiceRequests').selectAll().where('orderId', '=', id).executeTakeFirst();

test('the customer of a paid order requests its invoice, reads the stored data and corrects it', async () => {
  const { customer, order, orderPath, path } = await openPaid();

  const offer = (await customer.get(orderPath)).text;
  const form = await customer.get(path);
  const sent = await customer.post(path, fields);
  const done = (await customer.get(orderPath)).text;
  const filled = (await customer.get(path)).text;
  const corrected = await customer.post(path, { ...fields, postal_code: '68050' });

  expect(offer).toContain(`href="${path}" data-test="request-invoice">Solicitar factura<`);
  expect([form.status, form.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(form.text).toContain('value="eva.ruiz@example.com"');
  expect([sent.status, sent.headers['location']]).toEqual([303, `${orderPath}#invoice`]);
  for (const text of ['Recibimos tus datos', stored.rfc, stored.email]) expect(done).toContain(text);
  for (const value of Object.values(stored)) expect(filled).toContain(`value="${value}"`);
  expect(filled).toContain('<option value="612" selected>');
  expect(corrected.status).toBe(303);
  expect(await requestOf(order)).toMatchObject({ ...stored, postalCode: '68050', version: 2 });
});

test('a holder of the order link alone requests an invoice, sees no stored data and cannot replace it', async () => {
  const { customer, order, orderPath, path } = await openPaid();
  const other = new Customer(shop);

  const empty = (await other.get(path)).text;
  const sent = await other.post(path, fields);
  const pages = [(await other.get(path)).text, (await other.get(orderPath)).text];
  const replaced = await other.post(path, { ...fields, cfdi_use: 'S01' });
  const guessed = await other.post(path, { ...fields, cfdi_use: 'S01', link: 'a'.repeat(32) });

  expect(sent.status).toBe(303);
  expect(empty).not.toContain('eva.ruiz@example.com');
  for (const page of pages) for (const value of PERSONAL) expect(page).not.toContain(value);
  expect(pages[0]).toContain('send-invoice-link');
  expect(pages[0]).not.toContain('name="rfc"');
  expect([replaced.status, guessed.status]).toEqual([403, 403]);
  for (const { text } of [replaced, guessed]) expect(text).not.toContain('name="rfc"');
  expect(await requestOf(order)).toMatchObject({ cfdiUse: 'G03', version: 1 });
  expect((await customer.get(orderPath)).text).toContain(stored.rfc);
});

/** Asks for a link to the invoice form, and returns its path from the mails to the order's address. */
async function askForLink({ path, order }: { readonly path: string; readonly order: { readonly number: string } }) {
  const answer = await new Customer(shop).post(`${path}/link`, {});
  expect([answer.status, answer.headers['location']]).toEqual([303, `${path}?sent=1`]);
  const mails = (await receiveAll()).filter(({ subject }) => subject.endsWith(`factura del pedido ${order.number}`));
  const links = mails.flatMap(({ text }) => [...text.matchAll(/\?link=([\w-]{32})/g)].map(([, link = '']) => link));
  return { links, mails };
}

async function receiveAll() {
  while ((await processOutbox(shop.checkout)) > 0);
  return receiveMails(shop);
}

test('a link that is mailed to the address of the order replaces its invoice data once, within 24 hours', async () => {
  const paid = await openPaid();
  const { order, path } = paid;
  const other = new Customer(shop);
  await other.post(path, fields);
  const { links, mails } = await askForLink(paid);
  const [link = ''] = links;
  const again = await askForLink(paid);

  const form = await other.get(`${path}?link=${link}`);
  const extended = await other.get(`${path}?link=${link}).`);
  const foreign = await openPaid();
  await foreign.customer.post(foreign.path, fields);
  const crossed = await other.post(foreign.path, { ...fields, link, cfdi_use: 'S01' });
  const replaced = await other.post(path, { ...fields, link: `${link}).`, cfdi_use: 'S01' });
  const twice = await other.post(path, { ...fields, link });
  const used = await other.get(`${path}?link=${link}`);
  shop.clock.advance(11 * 60_000);
  const late = (await askForLink(paid)).links.find((each) => each !== link) ?? '';
  shop.clock.advance(24 * 3_600_000);
  const expired = await other.post(path, { ...fields, link: late });
  shop.clock.reset();

  expect([links.length, again.links.length]).toEqual([1, 1]);
  for (const { to } of mails) expect(to).toContain(order.email);
  expect(form.text).toContain(`<input type="hidden" name="link" value="${link}">`);
  expect(extended.text).toContain('name="rfc"');
  for (const value of PERSONAL) expect(form.text).not.toContain(value);
  expect([crossed, replaced, twice, expired].map(({ status }) => status)).toEqual([403, 303, 403, 403]);
  expect(late).not.toBe('');
  expect(used.text).toContain('Este enlace ya se usó o venció.');
  expect(await requestOf(order)).toMatchObject({ cfdiUse: 'S01', version: 2 });
  const hashes = JSON.stringify(await queries.selectFrom('invoiceLinks').selectAll().execute());
  for (const secret of [link, late]) expect(hashes).not.toContain(secret);
  expect(shop.logged.join('')).not.toContain(link);
});

test('the customer gets a mail without tax data for each version of the invoice data, and the sixth version is refused', async () => {
  const { customer, order, path } = await openPaid();
  const statuses: number[] = [];

  for (const postal_code of ['68000', '68010', '68020', '68020', '68030', '68040', '68050'])
    statuses.push((await customer.post(path, { ...fields, postal_code })).status);
  const page = await customer.get(path);
  const link = await askForLink({ path, order });

  expect(statuses).toEqual([303, 303, 303, 303, 303, 303, 409]);
  expect(page.text).toContain('ya se cambiaron 5 veces');
  expect(await requestOf(order)).toMatchObject({ postalCode: '68040', version: 5 });
  expect(link.links).toEqual([]);
  const mails = (await receiveAll()).filter(({ subject }) => subject.includes(order.number));
  const about = mails.filter(({ subject }) => subject.includes('factura'));
  expect(about.map(({ subject }) => subject.split(' ', 1)[0]).sort()).toEqual([
    ...['Cambiaron', 'Cambiaron', 'Cambiaron', 'Cambiaron', 'Recibimos'],
  ]);
  for (const { to, text, html } of about) {
    expect(to).toContain(order.email);
    for (const value of PERSONAL) expect(text + html).not.toContain(value);
  }
});

test('the mail with a link is not sent without stored invoice data', async () => {
  const paid = await openPaid();

  expect((await askForLink(paid)).mails).toEqual([]);
});

const unrequested = await openPaid();

test.each([
  ['an empty form', {}, ['rfc', 'registered_name', 'tax_regime', 'cfdi_use', 'postal_code', 'email']],
  ['a wrong RFC', { ...fields, rfc: 'RUNE901328AB1' }, ['rfc']],
  ['a use that the regime excludes', { ...fields, tax_regime: '605' }, ['cfdi_use']],
  ['doubled fields', { ...fields, rfc: ['a', 'b'], cfdi_use: ['G03', 'S01'] }, ['rfc', 'cfdi_use']],
  ['a card number as its name', { ...fields, registered_name: '4000 0000 0000 0077' }, ['registered_name']],
])('an invoice form with %s shows the error and stores nothing', async (_what, posted, wrong) => {
  await expectUnchanged(shop, async () => {
    const { status, text } = await unrequested.customer.post(unrequested.path, posted);

    expect(status).toBe(422);
    expect([...text.matchAll(/<li><a href="#([^"]+)">/g)].map(([, field]) => field)).toEqual(wrong);
    for (const field of wrong) expect(text).toContain(`id="${field}-error"`);
    if ('email' in posted) expect(text).toContain('value="facturas@example.com"');
    expect(text + shop.logged.join('')).not.toContain('0000 0077');
  });
});

test('an order that is unpaid, in review, past its deadline or refunded has no invoice form', async () => {
  const unpaid = await openHostedPage(shop);
  const { customer, order, orderPath, path } = await openPaid();
  const change = (set: object) => queries.updateTable('orders').set(set).where('id', '=', order.id).execute();
  const ask = async (at = path) => [(await customer.get(at)).status, (await customer.post(at, fields)).status];
  const now = shop.clock.now();
  const longAgo = now - 70 * 24 * 3_600_000;

  const answers = [await ask(`${unpaid.orderPath}/invoice`)];
  await change({ reviewReason: 'second_payment' });
  answers.push(await ask());
  await change({ reviewReason: null, paidAt: longAgo, confirmedAt: longAgo });
  answers.push(await ask());
  await change({ paidAt: now, confirmedAt: now });
  await queries.updateTable('attempts').set({ state: 'refunded' }).where('orderId', '=', order.id).execute();
  answers.push(await ask());

  expect(answers).toEqual(answers.map(() => [409, 409]));
  expect((await customer.get(orderPath)).text).not.toContain('data-test="request-invoice"');
  expect(await requestOf(order)).toBeUndefined();
  expect(await ask(`/orders/${'x'.repeat(32)}/invoice`)).toEqual([404, 404]);
});

test('a requested invoice is promised past its deadline, and not to an order in review or refunded', async () => {
  const { customer, order, orderPath, path } = await openPaid();
  await customer.post(path, fields);
  const change = (set: object) => queries.updateTable('orders').set(set).where('id', '=', order.id).execute();
  const longAgo = shop.clock.now() - 70 * 24 * 3_600_000;
  await change({ paidAt: longAgo, confirmedAt: longAgo });
  const late = (await customer.get(orderPath)).text;
  await change({ reviewReason: 'second_payment' });
  const inReview = (await customer.get(orderPath)).text;
  await change({ reviewReason: null });
  await queries.updateTable('attempts').set({ state: 'refunded' }).where('orderId', '=', order.id).execute();
  const refunded = (await customer.get(orderPath)).text;

  expect(late).toContain('La factura te llegará por correo.');
  for (const page of [inReview, refunded]) {
    expect(page).toContain('Si necesitas la factura, escríbenos.');
    expect(page).not.toContain('te llegará por correo');
  }
});

test('the back office shows an invoice request with its history, exports it, and retries its hook where jobs are listed', async () => {
  const { customer, order, path } = await openPaid();
  await customer.post(path, fields);
  const later = { nextAt: shop.clock.now() + 3_600_000, lastError: 'Error' };
  await queries.updateTable('outbox').set(later).where('job', '=', 'on_invoice_requested').execute();
  const merchant = await openBackOffice(shop);
  const adminPath = `/admin/orders/${order.number}`;

  const page = (await merchant.get(adminPath)).text;
  const retried = await merchant.post(`${adminPath}/jobs`, { job: 'on_invoice_requested' });
  const cells = await cellsInExport(invoices, shop, order);

  for (const value of Object.values(stored)) expect(page).toContain(`<bdi class="admin-copy">${value}</bdi>`);
  expect(page).toContain('El cliente solicitó la factura');
  const listsJobs = hasFeature('order-jobs');
  expect(page.includes('on-invoice-requested')).toBe(listsJobs);
  expect(retried.headers['location']).toBe(listsJobs ? `${adminPath}?result=rescheduled` : undefined);
  expect(cells).toEqual({
    'Factura: RFC': stored.rfc,
    'Factura: Nombre o razón social': stored.name,
    'Factura: Régimen fiscal': '612',
    'Factura: Uso de la factura (CFDI)': 'G03',
    'Factura: Código postal': '68000',
    'Factura: Correo electrónico': stored.email,
  });
});

test('the data for an invoice are shown to managers only', async () => {
  for (const role of ROLES) await addUser(shop, role, role);
  const { customer, order, path } = await openPaid();
  await customer.post(path, fields);
  const shown = new Map<string, boolean>();

  for (const role of ROLES) {
    const { text } = await (await openBackOffice(shop, role)).get(`/admin/orders/${order.number}`);
    shown.set(
      role,
      [stored.rfc, stored.email, 'admin-invoice'].every((part) => text.includes(part)),
    );
    if (role === 'viewer') for (const value of Object.values(stored)) expect(text).not.toContain(`>${value}<`);
  }

  expect(Object.fromEntries(shown)).toEqual({ viewer: false, fulfillment: false, manager: true });
});

test('typed fields that are not accepted are stored cut, and without a card number in any spelling', async () => {
  const { customer, path } = await openPaid();
  const numbers = [
    '4111 1111 1111 1111',
    '4111.1111.1111.1111',
    '٤١١١١١١١١١١١١١١١',
    `4${'\u200b'.repeat(8)}111111111111111`,
  ];
  await customer.post(path, { ...fields, registered_name: '\u0001'.repeat(6_000), rfc: 'x'.repeat(6_000) });
  const forms = queries.selectFrom('typedForms').select('content').where('page', '=', path);
  const [cut] = await forms.execute();
  for (const rfc of numbers)
    await customer.post(path, { ...fields, rfc, registered_name: `${'x'.repeat(290)} ${rfc}` });
  const [form] = await forms.execute();

  expect(cut?.content.length).toBeLessThan(5_000);
  expect(JSON.parse(form?.content ?? '')).toMatchObject({ typed: { rfc: '', registered_name: '' } });
});

test('an order whose personal data were erased takes no invoice request', async () => {
  const { customer, order, path } = await openPaid();
  await erasePersonalData(queries, [order.id]);

  const { status } = await customer.post(path, fields);

  const stored = queries.selectFrom('invoiceRequests').selectAll().where('orderId', '=', order.id);
  expect([status, await stored.execute()]).toEqual([409, []]);
});
