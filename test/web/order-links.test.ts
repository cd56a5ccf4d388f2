/** Each sentence of an order page about another page follows from a link that is there. */
import { expect, test } from '@jest/globals';
import { openBackOffice } from '../support/admin.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const OF_A_PAGE = /página de pago|página de tu banco|hacerlo en su página/;
/** Returns the paragraphs of the state, and the texts of the links below it. */
function read(html: string) {
  const [, head = ''] = /<h1>([\s\S]*?)<\/div>/.exec(html) ?? [];
  const [, list = ''] = /<ul class="actions">([\s\S]*?)<\/ul>/.exec(html) ?? [];
  return {
    text: head.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    links: [...list.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label),
  };
}

const UNSAFE = 'bank_page_unsafe';
const UNREADABLE = 'bank_page_unreadable';
test.each<[unknown, string, string]>([
  [{ redirect_to_url: { url: 'http://bank.example/3ds' } }, UNSAFE, 'no es segura (https)'],
  [{ redirect_to_url: { url: 'javascript:alert(1)' } }, UNSAFE, 'no es segura (https)'],
  [{ redirect_to_url: { url: 'https://user:word@bank.example/' } }, UNSAFE, 'no es segura (https)'],
  [{ redirect_to_url: 'https://bank.example/3ds' }, UNREADABLE, 'no trae una dirección que podamos leer'],
  [{ redirect_to_url: { url: '' } }, UNREADABLE, 'no trae una dirección que podamos leer'],
  [{ url: 'https://bank.example/3ds' }, UNREADABLE, 'no trae una dirección que podamos leer'],
  ['https://bank.example/3ds', UNREADABLE, 'no trae una dirección que podamos leer'],
  [[], UNREADABLE, 'no trae una dirección que podamos leer'],
  [null, 'bank_page_missing', 'no trae la página de su banco'],
])(
  'a card payment whose next action is %j is logged, shown to the merchant, and its order page names no page',
  async (next_action, reason, words) => {
    const customer = await Customer.withCart(shop);
    shop.control.fault('process', { kind: 'rewrite', set: { next_action } }, 1);

    const answer = await payByCard(shop, customer, CARDS.challenged);
    const path = String(answer.headers['location']);
    const page = await customer.get(path);
    const { number } = await theOrder(shop);
    const shown = await (await openBackOffice(shop)).get(`/admin/orders/${number}`);

    const logged = shop.logged
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'card_payment.bank_page_lost');
    const [{ id: attempt } = { id: '' }] = await allAttempts(shop);
    expect(logged).toMatchObject([{ order: number, attempt, reason }]);
    expect(shop.logged.join('')).not.toContain('bank.example');
    expect(shown.text).toContain(words);
    expect(readOrderPage(page.text).state).toBe('pending');
    expect(read(page.text).links).toEqual(['Ir a la tienda']);
    expect(read(page.text).text).not.toMatch(OF_A_PAGE);
    expect(read(page.text).text).toContain('no pagues otra vez');
  },
);

test('while a card payment beside a hosted page has no page of its own, the order page leads to no page', async () => {
  const customer = await Customer.withCart(shop);
  await customer.payHosted();
  shop.control.fault('process', { kind: 'rewrite', set: { status: 'processing', next_action: null } }, 1);
  await payByCard(shop, customer, CARDS.challenged, { ...contact, pay_again: '1' });
  const { token } = await theOrder(shop);

  const { links, text } = read((await customer.get(`/orders/${token}`)).text);

  expect((await allAttempts(shop)).map(({ flow, state }) => [flow, state])).toEqual([
    ['hosted', 'superseded'],
    ['card', 'open'],
  ]);
  expect(links).toEqual(['Ir a la tienda']);
  expect(text).not.toMatch(OF_A_PAGE);
});

test('a card payment that waits at the bank has a button that names the bank, only for its customer', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.challenged);
  const { token } = await theOrder(shop);

  const own = read((await customer.get(`/orders/${token}`)).text);
  const other = read((await new Customer(shop).get(`/orders/${token}`)).text);

  expect(own.links[0]).toBe('Ir a la página de tu banco');
  expect(own.text).toContain('Si aún no confirmas el pago con tu banco, puedes hacerlo en su página.');
  expect(other.text).not.toMatch(OF_A_PAGE);
  expect(shop.logged.join('')).not.toContain('bank_page_lost');
});

test('after a decline on the hosted page the order page begins with the decline, and leads back to the page', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  const open = read((await customer.get(orderPath)).text);
  shop.control.paySession(session, CARDS.declined);
  shop.clock.advance(5_000);

  const own = read((await customer.get(orderPath)).text);
  const other = read((await new Customer(shop).get(orderPath)).text);

  expect([open.links[0], own.links[0]]).toEqual(['Volver a la página de pago', 'Volver a la página de pago']);
  expect(open.text).toContain('puedes volver a la página de pago');
  expect(own.text).toMatch(/^El banco rechazó tu tarjeta /);
  expect(own.text).toContain('En la misma página de pago puedes usar otra tarjeta.');
  expect(other.text).toMatch(/^El banco rechazó tu tarjeta /);
  expect(other.text).not.toMatch(OF_A_PAGE);
});

test('a payment that the customer cancelled on the hosted page is no failure, and the customer can pay the order', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  shop.control.cancelSession(session);
  shop.clock.advance(5_000);

  const own = await customer.get(orderPath);
  const other = await new Customer(shop).get(orderPath);

  for (const { text } of [own, other]) {
    expect(readOrderPage(text).state).toBe('cancelled');
    expect(text).toContain('tone-waiting');
    expect(read(text).text).not.toContain('se cerró');
  }
  expect(read(own.text).text).toContain('Puedes pagarlo cuando quieras.');
  expect(read(own.text).links).toEqual(['Intentar otra vez', 'Ver mi carrito']);
  expect([own, other].map(({ text }) => read(text).text.includes('Tu carrito sigue igual.'))).toEqual([true, false]);
});
