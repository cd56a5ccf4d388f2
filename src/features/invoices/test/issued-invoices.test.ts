/** Invoices that a manager marks as issued, with their files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { refundRow } from '@tianguis/payments/testing';
import { addUser, openBackOffice, resultOf } from '../../../../test/support/admin.js';
import type { Customer } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { mailFiles, receiveMails } from '../../../../test/support/mailbox.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { attemptOf, record } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { erasePersonalData } from '../../../tables/personal-data.js';
import { readInvoiceFile } from '../invoice-file.js';
import { requestInvoice } from '../request-invoice.js';
import { invoiceReceiver } from './invoice-form.js';

const shop = await openSharedShop({ env: { REFUND_PARTIAL: 'on' } });
await addUser(shop, 'luis', 'fulfillment');
const PDF = Buffer.from('%PDF-1.7\n%%EOF');
/** Invoices of the order, of another receiver, and with an element of XHTML. */
const [STAMPED, OTHER_RECEIVER, FOREIGN] = await Promise.all(
  ['stamped', 'other-receiver', 'foreign-namespace'].map((name) =>
    readFile(new URL(`cfdi/${name}.xml`, import.meta.url), 'utf8'),
  ),
);
const CFDI = STAMPED ?? '';

/** Returns a paid order whose customer requested an invoice, and the path of the invoice in the back office. */
async function request() {
  await placePaidOrder(shop);
  const order = await theOrder(shop);
  await requestInvoice(shop.checkout, order, invoiceReceiver, { isOwn: true, link: '' });
  return { order, path: `/admin/orders/${order.number}/invoice` };
}

const attach = (user: Customer, path: string, file: Buffer, version = '1') =>
  user.agent.post(path).field('version', version).attach('file', file, 'factura.bin').redirects(0);

const files = () => shop.queries.selectFrom('invoiceFiles').select('kind').execute();

test('a manager attaches PDF and XML and marks the invoice as issued, which mails both once and is seen in list and history', async () => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  const overview = await merchant.get('/admin');
  const waiting = await merchant.get('/admin/invoices?rfc=rune-900228-ab1');

  const stored = [await attach(merchant, `${path}/pdf`, PDF), await attach(merchant, `${path}/xml`, Buffer.from(CFDI))];
  const issued = await Promise.all([merchant.post(path, { version: '1' }), merchant.post(path, { version: '1' })]);
  await receiveMails(shop);

  expect(overview.text).toContain('Por emitir');
  expect(waiting.text).toContain(order.number);
  expect(stored.map(resultOf)).toEqual(['invoice_attached', 'invoice_attached']);
  expect(issued.map(resultOf).toSorted()).toEqual(['invoice_closed', 'invoice_issued']);
  const sent = await Promise.all(mailFiles(join(shop.directory, 'mail')).map((file) => readFile(file, 'utf8')));
  const mails = sent.filter((mail) => mail.includes(`CFDI-${order.number}.pdf`) && mail.includes('.xml'));
  expect(mails.map((mail) => mail.includes(`To: ${invoiceReceiver.email}`))).toEqual([true]);
  const { text } = await merchant.get(`/admin/orders/${order.number}`);
  expect(text).toMatch(/Se marcó la factura como emitida\.?<\/strong> Usuario: admin\./);
  expect((await merchant.get('/admin/invoices?state=issued')).text).toContain(order.number);
  expect((await merchant.get('/admin/invoices')).text).not.toContain(order.number);
  expect((await merchant.get('/admin/invoices?state=issued&rfc=XYZ010101AB1')).text).not.toContain(order.number);
});

test('case 210: the invoice of a partly refunded order is listed with what is left, and is issued', async () => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  await record(shop, await attemptOf(shop, await theOrder(shop)), { amount: centavos(100_50) });

  const list = await merchant.get('/admin/invoices');
  const page = await merchant.get(`/admin/orders/${order.number}`);
  const issued = await merchant.post(path, { version: '1' });

  expect(list.text).toContain('$188.50');
  expect(list.text).toContain('>Reembolso parcial<');
  expect(list.text).not.toContain('$289.00');
  expect(page.text).toMatch(/<dt>Por facturar<\/dt><dd>\$188\.50</);
  expect(resultOf(issued)).toBe('invoice_issued');
});

const refundsOf = (changes: object) => async () => {
  const { id, orderId } = await attemptOf(shop, await theOrder(shop));
  const row = refundRow(orderId, { attemptId: id, amount: centavos(100_00), ...changes });
  await shop.queries.insertInto('refunds').values(row).execute();
};
const changeAttempt = (set: object) => shop.queries.updateTable('attempts').set(set).execute();
const NOTHING_LEFT: Readonly<Record<string, () => Promise<unknown>>> = {
  'is refunded in two parts': async () => {
    for (const amount of [centavos(89_00), centavos(200_00)])
      await record(shop, await attemptOf(shop, await theOrder(shop)), { amount });
  },
  'is refunded by a decision without a row': () => changeAttempt({ state: 'refunded' }),
  'is reversed': async () => {
    await changeAttempt({ flow: 'outside' });
    await record(shop, await attemptOf(shop, await theOrder(shop)), { way: 'reversal' });
  },
  'is charged back and refunded': async () => {
    await record(shop, await attemptOf(shop, await theOrder(shop)), { way: 'chargeback', amount: centavos(89_00) });
    await record(shop, await attemptOf(shop, await theOrder(shop)), { amount: centavos(200_00) });
  },
  'has a refund that is not resolved': refundsOf({ state: 'pending', inFlight: 1 }),
};

test.each(Object.keys(NOTHING_LEFT))('case 210: an order that %s is no invoice to issue', async (name) => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  await NOTHING_LEFT[name]?.();

  const overview = await merchant.get('/admin');
  const list = await merchant.get('/admin/invoices');
  const page = await merchant.get(`/admin/orders/${order.number}`);
  const refused = [await merchant.post(path, { version: '1' }), await attach(merchant, `${path}/pdf`, PDF)];

  expect(overview.text).not.toContain('Por emitir');
  expect(list.text).not.toContain(order.number);
  expect(page.text).toContain('data-test="invoice-refunded"');
  expect(page.text).not.toContain(`action="${path}`);
  expect(refused.map(resultOf)).toEqual(['invoice_refunded', 'invoice_refunded']);
  expect(await shop.queries.selectFrom('invoiceRequests').select('issuedAt').execute()).toEqual([{ issuedAt: null }]);
});

const UNRELATED: Readonly<Record<string, () => Promise<unknown>>> = {
  'of a second payment': async () => {
    const attempt = await attemptOf(shop, await theOrder(shop));
    const second = { ...attempt, id: 'second', ordinal: 2, gatewayId: 'second' };
    await shop.queries.insertInto('attempts').values(second).execute();
    await refundsOf({ attemptId: second.id })();
  },
  'that the gateway refused': refundsOf({ state: 'refused' }),
};

test.each(Object.keys(UNRELATED))('case 210: a refund %s takes nothing off an invoice', async (name) => {
  const merchant = await openBackOffice(shop);
  const { path } = await request();
  await UNRELATED[name]?.();

  expect((await merchant.get('/admin/invoices')).text).toContain('$289.00');
  expect(resultOf(await merchant.post(path, { version: '1' }))).toBe('invoice_issued');
});

test.each([
  ['pdf', Buffer.from('<html></html>'), 'no es un PDF'],
  ['pdf', Buffer.alloc(0), 'Elige un archivo'],
  ['pdf', Buffer.concat([PDF, Buffer.alloc(3 * 1024 * 1024)]), 'más de 3 MB'],
  ['xml', PDF, 'no es el XML'],
])('a wrong file as %s is an error at its field and is not stored', async (kind, file, message) => {
  const merchant = await openBackOffice(shop);
  const { path } = await request();

  const answer = await attach(merchant, `${path}/${kind}`, file);
  const page = await merchant.get(String(answer.headers['location']));

  expect([page.status, page.text.split(`id="invoice_${kind}-error">`)[1]?.includes(message)]).toEqual([422, true]);
  expect(await files()).toEqual([]);
});

const HTML = 'http://www.w3.org/1999/xhtml';
const inside = (content: string) => CFDI.replace('<cfdi:Conceptos>', `<cfdi:Conceptos>${content}`);
const inAddenda = (content: string) => CFDI.replace('<cfdi:Addenda>', `<cfdi:Addenda>${content}`);

test.each([
  ['a stamped invoice with an Addenda', true, CFDI],
  ['other prefixes', true, CFDI.replaceAll('cfdi:', 'c:').replace('xmlns:c:', 'xmlns:').replace(':cfdi=', ':c=')],
  ['the default namespace', true, CFDI.replaceAll('cfdi:', '').replace('xmlns:cfdi=', 'xmlns=')],
  ['a line feed at the end', true, `${CFDI}\n<!-- end -->\n`],
  ['a complement of the SAT', true, inside('<p:Pagos xmlns:p="http://www.sat.gob.mx/Pagos20"/>')],
  ['an element without its end', false, inside('<cfdi:Emisor>')],
  ['a second root', false, `${CFDI}<b/>`],
  ['text after the root', false, `${CFDI}text`],
  ['a prefix without a namespace', false, inside('<x:script/>')],
  ['an element without a namespace', false, inside('<a/>').replace('xmlns:cfdi', 'xmlns="" xmlns:cfdi')],
  ['another root in the namespace', false, CFDI.replaceAll('cfdi:Comprobante', 'cfdi:Otro')],
  ['the namespace of CFDI 3.3', false, CFDI.replaceAll('sat.gob.mx/cfd/4"', 'sat.gob.mx/cfd/3"')],
  [
    'a namespace that begins like that of the SAT',
    false,
    inside('<x:a xmlns:x="http://www.sat.gob.mx.example.com/"/>'),
  ],
  ['an image of XHTML', false, FOREIGN ?? ''],
  ['a frame of XHTML in the Addenda', false, inAddenda(`<iframe xmlns="${HTML}" src="https://example.com"/>`)],
  [
    'a picture with a script in the Addenda',
    false,
    inAddenda('<svg xmlns="http://www.w3.org/2000/svg" onload="a()"/>'),
  ],
  ['an Addenda that is not that of the root', false, inside(`<cfdi:Addenda><x:a xmlns:x="urn:x"/></cfdi:Addenda>`)],
  ['javascript: in an attribute', false, inAddenda('<x:a xmlns:x="urn:x" href="java&#10;script:alert(1)"/>')],
  ['javascript: in a text', false, inAddenda('<x:a xmlns:x="urn:x">&#74;avascript:alert(1)</x:a>')],
  ['a document type', false, CFDI.replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>')],
  ['an external entity', false, CFDI.replace('?>', '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>')],
  ['an unknown entity', false, inAddenda('<x:a xmlns:x="urn:x">&a;</x:a>')],
  ['a stylesheet', false, CFDI.replace('?>', '?><?xml-stylesheet href="a.xsl"?>')],
  ['another encoding', false, CFDI.replace('UTF-8', 'UTF-16')],
  ['many levels', false, inAddenda(`<a xmlns="urn:a">${'<a>'.repeat(100)}${'</a>'.repeat(101)}`)],
  ['many attributes', false, inAddenda(`<a ${[...Array(501).keys()].map((each) => `a${each}=""`).join(' ')}/>`)],
  ['comments without an end', false, '<!--'.repeat(250_000)],
  ['a page', false, '<html></html>'],
  ['nothing', false, ''],
])('case 214: %s is accepted as the XML of an invoice: %s', async (_title, isInvoice, xml) => {
  expect((await readInvoiceFile('xml', Buffer.from(xml))) !== undefined).toBe(isInvoice);
});

test.each([
  ['a byte order mark', true, '\uFEFF%PDF-1.7'],
  ['blank lines', true, '\r\n\r\n%PDF-1.7'],
  ['bytes of another program', true, `${'\0'.repeat(1019)}%PDF-1.7`],
  ['too many bytes', false, `${'\0'.repeat(1020)}%PDF-1.7`],
  ['a page', false, '<html><script>a()</script>%PDF-1.7'],
])('case 214: a PDF with %s before its header is accepted: %s', async (_title, isPdf, pdf) => {
  expect((await readInvoiceFile('pdf', Buffer.from(pdf))) !== undefined).toBe(isPdf);
});

test.each([
  ['other receiver', OTHER_RECEIVER ?? '', 'el RFC del receptor es MISC491214B86, no RUNE900228AB1'],
  ['other total', CFDI.replace('Total="289.00"', 'Total="300.00"'), 'el total es 300.00, no $289.00'],
  ['other currency', CFDI.replace('Moneda="MXN"', 'Moneda="USD"'), 'la moneda es USD, no MXN'],
  ['other version', CFDI.replace('Version="4.0" Serie', 'Version="3.3" Serie'), 'la versión es 3.3, no 4.0'],
  ['no receiver', CFDI.replace(/<cfdi:Receptor[^>]*>/, ''), 'el RFC del receptor es —, no RUNE900228AB1'],
])('case 214: an XML with %s is a question, and is stored after its answer', async (_title, xml, message) => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  const send = (file: string, asked = '') =>
    merchant.agent
      .post(`${path}/xml`)
      .field('version', '1')
      .field('file_asked', asked)
      .attach('file', Buffer.from(file), 'factura.xml')
      .redirects(0);

  const refused = await send(xml);
  const page = await merchant.get(String(refused.headers['location']));
  const stored = await files();
  const asked = /name="file_asked" type="checkbox" value="([^"]+)"/.exec(page.text)?.[1];
  const other = await send(xml.replace('Folio="1042"', 'Folio="1043"'), asked);
  const kept = await send(xml, asked);

  expect(page.status).toBe(422);
  expect(page.text.split('id="invoice_xml-error">')[1]).toContain(message);
  expect(stored).toEqual([]);
  expect(resultOf(other)).toBeUndefined();
  expect(resultOf(kept)).toBe('invoice_attached');
  expect(await files()).toEqual([{ kind: 'xml' }]);
  expect(order.total).toBe(28_900);
});

test('new data of the customer removes the files of the former data, and a form of the former data is refused', async () => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  await attach(merchant, `${path}/pdf`, PDF);

  await requestInvoice(shop.checkout, order, { ...invoiceReceiver, name: 'EVA' }, { isOwn: true, link: '' });
  const stale = [await attach(merchant, `${path}/pdf`, PDF), await merchant.post(path, { version: '1' })];

  expect([await files(), stale.map(resultOf)]).toEqual([[], ['invoice_closed', 'invoice_closed']]);
});

test('the data of an issued invoice is not replaced', async () => {
  const { order, path } = await request();
  await (await openBackOffice(shop)).post(path, { version: '1' });

  const data = { ...invoiceReceiver, name: 'EVA' };
  expect(await requestInvoice(shop.checkout, order, data, { isOwn: true, link: '' })).toBe('closed');
});

test('a manager downloads a file as an attachment, and another user gets neither file nor list', async () => {
  const merchant = await openBackOffice(shop);
  const { path } = await request();
  await attach(merchant, `${path}/pdf`, PDF);
  const employee = await openBackOffice(shop, 'luis');

  const file = await merchant.get(`${path}/pdf`);
  const refused = [
    await employee.get(`${path}/pdf`),
    await employee.get('/admin/invoices'),
    await employee.post(path, { version: '1' }),
    await attach(employee, `${path}/pdf`, PDF),
  ];

  expect(file.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment; filename=CFDI-/),
    'x-content-type-options': 'nosniff',
    'content-type': 'application/pdf',
  });
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('an erasure deletes the files, and mails none that waited', async () => {
  const merchant = await openBackOffice(shop);
  const { order, path } = await request();
  await attach(merchant, `${path}/pdf`, PDF);
  await merchant.post(path, { version: '1' });

  await shop.checkout.db.transaction((tx) => erasePersonalData(tx, [order.id]));
  const mails = await receiveMails(shop);

  expect([await files(), mails.filter(({ to }) => to === invoiceReceiver.email)]).toEqual([[], []]);
});
