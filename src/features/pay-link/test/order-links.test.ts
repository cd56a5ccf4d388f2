/** Each sentence of an order page about another page follows from a link that is there. */
import { expect, test } from '@jest/globals';
import { Customer } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { openHostedPage } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

const shop = await openSharedShop();
/** Returns the paragraphs of the state, and the texts of the links below it. */
function read(html: string) {
  const [, head = ''] = /<h1>([\s\S]*?)<\/div>/.exec(html) ?? [];
  const [, list = ''] = /<ul class="actions">([\s\S]*?)<\/ul>/.exec(html) ?? [];
  return {
    text: head.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    links: [...list.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label),
  };
}

test('an order that its customer cancelled is closed, and nothing says that it can be paid', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  shop.control.cancelSession(session);
  shop.clock.advance(5_000);
  await customer.get(orderPath);
  const { version } = await theOrder(shop);
  await customer.post(`${orderPath}/cancel`, { version: String(version) });

  const own = await customer.get(orderPath);

  expect(own.text).toContain('tone-waiting');
  expect(read(own.text).text).toMatch(/^Este pedido se canceló Se cerró sin pagarse\./);
  expect(read(own.text).text).not.toMatch(/pagarlo|puedes pagar/i);
});

test('after a payment that the customer cancelled, another holder of the link reads that the order can be paid', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  shop.control.cancelSession(session);
  shop.clock.advance(5_000);
  await customer.get(orderPath);

  const { text } = read((await new Customer(shop).get(orderPath)).text);

  expect(text).toContain('Puedes pagarlo cuando quieras.');
});
