import { expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import { formatMoney } from '../../src/locales/format.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

test.each([
  ['es-MX', '¡Gracias, Eva!', 'Taza de talavera azul'],
  ['en', 'Thank you, Eva!', 'Blue talavera mug'],
] as const)(
  'the receipt of a purchase in %s is accessible HTML and equal text in that locale',
  async (locale, heading, product) => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    const customer = await Customer.withCart(shop);
    customer.agent.set('Accept-Language', locale);
    const price = formatMoney(centavos(28_900), locale);

    await payByCard(shop, customer);
    const [receipt] = await receiveMails(shop);
    const { number, token } = await theOrder(shop);
    const order = `${shop.url}/orders/${token}`;
    await page.setContent(receipt?.html ?? '');

    expect(receipt?.subject).toContain(number);
    for (const part of [heading, number, product, price, order]) expect(receipt?.text).toContain(part);
    expect(await page.locator('h1').textContent()).toBe(heading);
    expect(await page.locator('thead + tbody tr').allInnerTexts()).toEqual([`${product} × 1\t${price}`]);
    expect(await page.locator('tfoot').textContent()).toContain(price);
    expect(await page.getByRole('link').getAttribute('href')).toBe(order);
    expect(await audit(page)).toEqual([]);
  },
);

test('the mail to the merchant about an order in review is accessible HTML with a link to the back office only', async () => {
  await using shop = await openTestShop({ env: { MERCHANT_EMAIL: 'avisos@tienda.example' } });
  await using visit = await openVisit(shop);
  const { page } = visit;
  const { customer, session, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  await customer.get(returnPath);

  const [mail] = await receiveMails(shop);
  const { number } = await theOrder(shop);
  await page.setContent(mail?.html ?? '');

  expect(await page.locator('h1').textContent()).toBe(`El pedido ${number} requiere tu revisión`);
  expect(await page.getByRole('link').getAttribute('href')).toBe(`${shop.url}/admin/orders/${number}`);
  expect(await audit(page)).toEqual([]);
});
