import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { products } from '../../src/catalog/sample-products.js';
import { Customer } from '../support/customer.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

describe('pages', () => {
  test('the catalog shows every product with its price, and each leads to its own page', async () => {
    await using shop = await openTestShop();
    const customer = new Customer(shop);

    const catalog = await customer.get('/');
    const pages = await Promise.all(products.map(({ slug }) => customer.get(`/products/${slug}`)));

    expect(catalog.status).toBe(200);
    expect(products.length).toBeGreaterThanOrEqual(12);
    for (const product of products) expect(catalog.text).toContain(`/products/${product.slug}`);
    expect(pages.map(({ status }) => status)).toEqual(products.map(() => 200));
    for (const page of pages) expect(page.text).toContain('name="product_id"');
  });

  test.each([
    ['?q=TALAVERA', ['taza-de-talavera']],
    ['?q=cafe+chiapas', ['cafe-de-chiapas']],
    ['?q=sugar+skull', ['calaverita-de-azucar']],
    ['?category=music', ['guitarra-de-paracho']],
    ['?q=guitarras', ['guitarra-de-paracho']],
    ['?q=taza,+%C2%BFazul%3F', ['taza-de-talavera']],
    ['?q=aza', []],
    ['?q=miel+de+marte', []],
    ['?q=talavera&category=music', []],
  ])(
    'the catalog narrowed by %s shows what answers, in any language and without accents',
    async (query, slugs) => {
      await using shop = await openTestShop();

      const { status, text } = await new Customer(shop).get(`/${query}`);
      const shown = [...text.matchAll(/href="\/products\/([\w-]+)"/g)].map(([, slug]) => slug);

      expect(status).toBe(200);
      expect(shown).toEqual(slugs);
      expect(text).toContain('data-test="found"');
    },
  );

  test.each(['?q=', '?q=%20%09', '?q=a&q=b', '?category=nothing', '?category=__proto__', '?q[]=a'])(
    'the catalog asked for %s is the whole shop',
    async (query) => {
      await using shop = await openTestShop();

      const { status, text } = await new Customer(shop).get(`/${query}`);

      expect(status).toBe(200);
      for (const { slug } of products) expect(text).toContain(`/products/${slug}`);
    },
  );

  test('a search is kept when the language changes', async () => {
    await using shop = await openTestShop();
    const customer = new Customer(shop);

    const { text } = await customer.get('/?q=caf%C3%A9&category=pantry');
    const back = /name="back" value="([^"]*)"/
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&')
      .replaceAll('&#38;', '&');
    const answer = await customer.post('/language', { lang: 'en', back });

    expect(answer.headers['location']).toBe('/?q=caf%C3%A9&category=pantry');
  });

  test('an address that does not exist gets a page with a way on, and is kept by no cache', async () => {
    await using shop = await openTestShop();

    const paths = [
      '/nothing',
      '/products/no-such-thing',
      '/products/constructor',
      '/cart/',
      '/.env',
      '/administrator',
    ];
    const answers = await Promise.all(paths.map((path) => supertest(shop.url).get(path)));

    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).toBe(404);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).toContain('href="/"');
    }
    expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(5);
  });

  test('HEAD answers like GET, without a body', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop);

    for (const path of ['/', '/cart', '/checkout', '/checkout/card', '/healthz', orderPath]) {
      const answer = await customer.agent.head(path).redirects(0);

      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.text).toBeFalsy();
    }
  });

  test('a checkout without anything to buy leads to the cart', async () => {
    await using shop = await openTestShop();
    const customer = new Customer(shop);

    const hosted = await customer.get('/checkout');
    const card = await customer.get('/checkout/card');
    const submitted = await customer.payHosted();
    const token = await customer.post('/checkout/card/access-token', {});

    expect([hosted.status, hosted.headers['location']]).toEqual([303, '/cart']);
    expect([card.status, card.headers['location']]).toEqual([303, '/cart']);
    expect(submitted.status).toBe(409);
    expect([token.status, token.body]).toEqual([409, { error: 'cart_empty', location: '/cart' }]);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('who has something to buy gets a token that opens the vault', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const answer = await customer.post('/checkout/card/access-token', {});

    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(['access_token']);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('with the vault out of reach the card page says so in its own way', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('tokenization-auth', { kind: 'status', status: 500 });

    const answer = await customer.post('/checkout/card/access-token', {});

    expect([answer.status, answer.body]).toEqual([503, { error: 'gateway_unavailable' }]);
  });

  test('what a customer typed is shown as text wherever it appears', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const evil = '"><img src=x onerror=alert(1)>';

    const refused = await customer.payHosted({ first_name: evil, last_name: evil, email: evil });
    const placed = await customer.payHosted({
      first_name: evil,
      last_name: "O'Neill & <b>",
      email: 'a@b.mx',
    });
    const form = await customer.get('/checkout');
    const cart = await customer.post('/cart/items/taza-talavera', { quantity: evil });

    expect(refused.status).toBe(422);
    expect(placed.status).toBe(302);
    for (const page of [refused, form, cart]) {
      expect(page.text).not.toContain('<img src=x');
      expect(page.text).not.toContain('<b>');
      expect(page.text).toContain('&lt;img src=x');
    }
  });

  test('the Host header appears in no address and no page', async () => {
    await using shop = await openTestShop();
    const evil = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    const customer = await Customer.withCart(shop);

    const page = await customer.agent.get('/').set(evil);
    const redirect = await customer.agent
      .post('/checkout/hosted')
      .set(evil)
      .type('form')
      .redirects(0)
      .send({ first_name: 'Eva', last_name: 'Ruiz', email: 'eva@example.com' });

    expect(page.text).not.toContain('evil.example');
    expect(redirect.status).toBe(302);
    expect(JSON.stringify(shop.simulator.control.calls('create-session')[0]?.body)).not.toContain('evil');
    expect(JSON.stringify(redirect.headers)).not.toContain('evil');
  });
});
