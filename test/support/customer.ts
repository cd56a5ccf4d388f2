import supertest, { type Response } from 'supertest';
import { centavos } from '../../src/payments/rules/money.js';
import { EMPTY_CONTACT } from '../../src/shop/rules/contact.js';
import { type ShippingOption, shippingOptions } from '../../src/shop/rules/shipping.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/shipping-table.js';
import type { TestShop } from './test-shop.js';

export const contact = { first_name: 'Eva', last_name: 'Ruiz Nava', email: 'eva.ruiz@example.com' };

export const address = {
  street: 'Calle Macedonio Alcalá 507',
  interior_number: '4-B',
  neighborhood: 'Centro',
  municipality: 'Oaxaca de Juárez',
  state: 'OAX',
  postal_code: '68000',
  phone: '951 555 0101',
  delivery_notes: 'Portón verde, entre Allende y Bravo',
};

const { firstName: _, lastName: __, email: ___, ...otherColumns } = EMPTY_CONTACT;
/** The columns of an order without delivery beside name and e-mail, those of the shop's own fields too. */
export const NO_ADDRESS = otherColumns;

/** The form of a customer who buys one `taza-talavera`, which requires no shipping, complete with the total. */
export const mugOrder = { ...contact, shipping_option: 'none', seen_total: '28900' };

const options = shippingOptions(
  DEFAULT_TABLE,
  [{ product: { requiresShipping: true }, quantity: 1 }],
  centavos(28_900),
  {
    state: 'OAX',
  },
);
const none: ShippingOption = { id: 'none', kind: 'none', price: centavos(0), greatest: centavos(0) };
/** The shop's first shipping option with an address, with its price for one `taza-enviada`. */
export const delivery = options.find(({ kind }) => kind === 'delivery') ?? none;

/** The form of a customer who has one `taza-enviada` delivered, complete with the total. */
export const mugDelivery = {
  ...contact,
  ...address,
  shipping_option: delivery.id,
  seen_total: String(28_900 + delivery.price),
};

/** Formats an amount as the pages in Spanish do. */
export const pesos = (amount: number) => (amount / 100).toLocaleString('es-MX', { style: 'currency', currency: 'MXN' });

const CHECKOUT_FORM = /^\/checkout\/(?:hosted|card)$/;

/** A POST that is not accepted redirects to the page of its form, which shows the errors. */
const FORM_PAGE = /[?&]answer=1$|^\/orders\?sent=1$/;

/** HTTP client of one customer. Stores cookies. Follows a redirect to the page of the posted form, and no other. */
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

  /** A checkout form without a shipping option gets the first one that the page offers, with its total. */
  async post(path: string, fields: object): Promise<Response> {
    const delivery = CHECKOUT_FORM.test(path) && !('shipping_option' in fields) ? await this.readDelivery() : {};
    return this.send(path, { ...delivery, ...fields });
  }

  /** Posts these fields only. Returns the page of the form if it was not accepted. */
  async send(path: string, fields: object | string): Promise<Response> {
    const answer = await this.agent.post(path).type('form').redirects(0).send(fields);
    const { location = '' } = answer.headers;
    return FORM_PAGE.test(location) ? this.agent.get(location).redirects(0) : answer;
  }

  /** Reads the checkout form. Returns its total, and the first shipping option with an address if it offers options. */
  async readDelivery(): Promise<Partial<Record<string, string>>> {
    const { text } = await this.agent.get('/checkout').redirects(1);
    const option = /name="shipping_option" value="(\w+)"/.exec(text)?.[1];
    const total = /name="seen_total" value="(\d+)"/.exec(text)?.[1];
    if (total === undefined) return {};
    return option === undefined ? { seen_total: total } : { ...address, shipping_option: option, seen_total: total };
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
    detail: html.includes('data-test="person"'),
  };
}
