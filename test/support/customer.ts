import supertest, { type Response } from 'supertest';
import type { TestShop } from './test-shop.js';

/** Contact fields of a checkout form. */
export const contact = { first_name: 'Eva', last_name: 'Ruiz Nava', email: 'eva.ruiz@example.com' };

/** HTTP client of one customer. Stores cookies and follows no redirects. */
export class Customer {
  readonly agent: ReturnType<typeof supertest.agent>;

  constructor(shop: Pick<TestShop, 'url'>) {
    this.agent = supertest.agent(shop.url);
  }

  /** Creates a customer with one cart line. */
  static async withCart(
    shop: Pick<TestShop, 'url'>,
    line: { product_id?: string; quantity?: string } = {},
  ): Promise<Customer> {
    const customer = new Customer(shop);
    await customer.add(line);
    return customer;
  }

  async add({ product_id = 'taza-talavera', quantity = '1' } = {}): Promise<void> {
    const answer = await this.post('/cart/items', { product_id, quantity });
    if (answer.status !== 303) throw new Error(`the cart answered ${answer.status}`);
  }

  async get(path: string): Promise<Response> {
    return this.agent.get(path).redirects(0);
  }

  async post(path: string, fields: object): Promise<Response> {
    return this.agent.post(path).type('form').redirects(0).send(fields);
  }

  async payHosted(fields: object = contact): Promise<Response> {
    return this.post('/checkout/hosted', fields);
  }
}

/** Returns the session id in the URL of a hosted page. Throws if there is none. */
export function sessionIdOf(url: string | undefined): string {
  const id = new URL(url ?? '').pathname.split('/').at(-1);
  if (!id) throw new Error('no session in the URL');
  return id;
}

/** Returns state and number from an order page, and whether it shows personal details. */
export function readOrderPage(html: string): { state: string; number: string; detail: boolean } {
  return {
    state: /data-state="([^"]*)"/.exec(html)?.[1] ?? '',
    number: /data-test="order-number">([^<]*)</.exec(html)?.[1] ?? '',
    detail: html.includes('id="detail-title"'),
  };
}
