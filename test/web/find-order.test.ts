import { describe, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase, theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

describe('who has lost the link of an order', () => {
  test('gets it by mail at the address of the order, however the number was typed', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const { number, token } = await theOrder(shop);
    const stranger = new Customer(shop);

    const typed = ` ${number.toLowerCase().replaceAll('-', ' ')} `;
    const answer = await stranger.post('/orders', { number: typed, email: contact.email.toUpperCase() });
    const mails = await receiveMails(shop);

    expect(answer.status).toBe(200);
    expect(answer.text).toContain('data-test="link-sent"');
    expect(answer.text).not.toContain(token);
    expect(mails.map(({ to }) => to)).toEqual([contact.email]);
    expect(mails[0]?.text).toContain(`/orders/${token}`);
    expect(mails[0]?.html).toContain(`/orders/${token}`);
    expect(mails[0]?.subject).toContain(number);
  });

  test.each([
    ['another address', { email: 'somebody@example.com' }],
    ['another number', { number: 'TG-2222-2222' }],
  ])('gets the same page with %s, and no mail is sent to anybody', async (_what, change) => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const { number } = await theOrder(shop);
    const stranger = new Customer(shop);
    const asked = { number, email: contact.email };

    const wrong = await stranger.post('/orders', { ...asked, ...change });
    const mails = await receiveMails(shop);
    const right = await stranger.post('/orders', asked);

    expect(mails).toEqual([]);
    expect(wrong.status).toBe(right.status);
    expect(wrong.text).toBe(right.text);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test('gets it once, however often it is asked for in ten minutes, and again later', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const { number } = await theOrder(shop);
    const ask = () => new Customer(shop).post('/orders', { number, email: contact.email });

    await Promise.all([ask(), ask(), ask()]);
    const first = await receiveMails(shop);
    shop.clock.advance(600_000);
    await ask();
    const later = await receiveMails(shop);

    expect([first.length, later.length]).toEqual([1, 2]);
  });

  test.each([
    ['an empty form', {}, ['#number', '#email']],
    ['half a number', { number: 'TG-7KMX', email: contact.email }, ['#number']],
    ['no address', { number: 'TG-7KMX-2AFR', email: 'eva.ruiz' }, ['#email']],
    ['doubled fields', { number: ['a', 'b'], email: ['a', 'b'] }, ['#number', '#email']],
  ])('is told at the field what is wrong with %s, and nothing is written', async (_what, fields, links) => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const before = await dumpDatabase(shop);

    const answer = await new Customer(shop).post('/orders', fields);

    expect(answer.status).toBe(422);
    for (const link of links) expect(answer.text).toContain(`href="${link}"`);
    expect(await dumpDatabase(shop)).toBe(before);
  });

  test('is asked to wait after many tries from one address', async () => {
    await using shop = await openTestShop({ env: { RATE_LIMIT: 'on' } });
    const asked = { number: 'TG-7KMX-2AFR', email: contact.email };

    const answers = await Promise.all(
      Array.from({ length: 11 }, () => new Customer(shop).post('/orders', asked)),
    );
    const refused = answers.filter(({ status }) => status === 429);

    expect(refused).toHaveLength(1);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });
});
