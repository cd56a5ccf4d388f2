import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { deleteExpiredShopRows } from '../../src/shop/delete-expired-rows.js';
import { CONTACT_FIELDS, type ContactFieldName, isRemembered } from '../../src/shop/rules/contact.js';
import { address, Customer, contact, mugOrder } from '../support/customer.js';
import { CARDS, openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { readForm } from '../support/read-form.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
const { control } = shop.simulator;
const WRONG = { ...mugOrder, email: 'eva.ruiz', street: address.street };

const storedForms = async () => JSON.stringify(await shop.queries.selectFrom('typedForms').selectAll().execute());

test('a form with an error redirects to its page, which shows it again after a reload, and at its plain address without the error', async () => {
  const customer = await Customer.withCart(shop);
  const tokens = control.tokenizeCard(CARDS.paid);

  for (const [path, fields] of [
    ['/checkout', {}],
    ['/checkout/card', tokens],
  ] as const) {
    const posted = await customer.agent
      .post(path === '/checkout' ? '/checkout/hosted' : path)
      .type('form')
      .redirects(0)
      .send({ ...WRONG, ...fields });
    const pages = [await customer.get(`${path}?answer=1`), await customer.get(`${path}?answer=1`)];
    const plain = await customer.get(path);

    expect([posted.status, posted.headers['location']]).toEqual([303, `${path}?answer=1`]);
    for (const { status, headers, text } of pages) {
      expect([status, headers['cache-control']]).toEqual([422, 'no-store']);
      for (const part of ['id="email-error"', 'value="eva.ruiz"', 'value="Ruiz Nava"']) expect(text).toContain(part);
    }
    expect([plain.status, plain.text.includes('email-error')]).toEqual([200, false]);
    expect(plain.text).toContain('value="eva.ruiz"');
  }
  for (const token of Object.values(tokens)) expect(await storedForms()).not.toContain(token);
});

test('typed fields need little space, and go with the order and after 60 minutes', async () => {
  const [buyer, other] = [await Customer.withCart(shop), await Customer.withCart(shop)];
  await buyer.payHosted({ ...contact, email: '', first_name: 'Compradora' });
  await other.payHosted({ ...contact, email: '', first_name: 'Indecisa', street: 'x'.repeat(20_000) });

  await payByCard(shop, buyer);
  const afterOrder = await storedForms();
  shop.clock.advance(60 * 60_000);
  const late = await other.get('/checkout?answer=1');
  await deleteExpiredShopRows(shop.checkout);

  expect([afterOrder.includes('Compradora'), afterOrder.includes('Indecisa')]).toEqual([false, true]);
  expect(afterOrder.length).toBeLessThan(2_000);
  expect([late.status, late.text.includes('Indecisa')]).toEqual([200, false]);
  expect(late.text).toContain('Lo que escribiste ya no está guardado');
  expect(await storedForms()).toBe('[]');
});

test.each<[string, Record<string, unknown>]>([
  ['paid', {}],
  ['in review', { amount_total: 1 }],
])(
  'a field of one order is offered until its order is %s, and then only fields that are remembered',
  async (_, set) => {
    const field = CONTACT_FIELDS.last_name;
    Object.assign(field, { isRemembered: undefined });
    try {
      const opened = await openHostedPage(shop);
      const { customer } = opened;
      const back = await customer.get('/checkout');
      await customer.send('/checkout/hosted', { ...mugOrder, last_name: 'Otra', update_total: '1' });
      const typed = await customer.get('/checkout');
      shop.control.fault('read-session', { kind: 'rewrite', set }, 1);
      await payAndReturn(shop, opened);
      await customer.add();
      const next = await customer.get('/checkout');

      const offered = [back, typed, next].map(({ text }) => readForm(text, '/checkout/hosted'));
      const remembered = Object.entries(contact).filter(([name]) => isRemembered(name as ContactFieldName));
      expect(offered).toMatchObject([
        contact,
        { ...contact, last_name: 'Otra' },
        { ...Object.fromEntries(remembered), last_name: '' },
      ]);
    } finally {
      Object.assign(field, { isRemembered: true });
    }
  },
);

test('an error page after a POST of a browser has an address of its own, which posts nothing', async () => {
  const post = (headers: Record<string, string>) =>
    supertest(shop.url).post('/language').set(headers).type('form').redirects(0).send({ lang: 'xx' });

  const [posted, byProgram] = [await post({ 'Sec-Fetch-Mode': 'navigate' }), await post({})];
  const page = await supertest(shop.url).get(posted.headers['location'] ?? '');
  const unknown = await supertest(shop.url).get('/problem?code=__proto__');
  const limited = await supertest(shop.url).get('/problem?code=too_many_attempts');
  const failures = await Promise.all(
    ['unexpected', 'database_unavailable', 'payment_refused'].map((code) =>
      supertest(shop.url).get(`/problem?code=${code}&id=${'a'.repeat(8)}-aaaa-aaaa-aaaa-${'a'.repeat(12)}`),
    ),
  );

  expect([posted.status, posted.headers['location']]).toEqual([303, '/problem?code=bad_request']);
  expect([page.status, page.headers['cache-control']]).toEqual([400, 'no-store']);
  expect([byProgram.status, unknown.status]).toEqual([400, 404]);
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60']);
  expect(failures.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(page.text.match(/<h1.*?h1>/s)?.[0]).toBe(byProgram.text.match(/<h1.*?h1>/s)?.[0]);
});
