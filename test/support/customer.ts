import { centavos } from '@tianguis/payments/rules';
import supertest, { type Response } from 'supertest';
import { CONTACT_FIELDS, type Contact, type ContactFieldName, EMPTY_CONTACT } from '../../src/shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import { type ShippingOption, shippingOptions } from '../../src/shop/rules/shipping.js';
import { seenOf } from '../../src/shop/seen.js';
import type { TestShop } from './test-shop.js';

/** A shop with required fields of its own adds their values here. */
export const contact = { first_name: 'Eva', last_name: 'Ruiz Nava', email: 'eva.ruiz@example.com' };

/** Another person, who pays an order of `contact`. */
export const payer = { ...contact, first_name: 'Luz', last_name: 'Soto', email: 'luz.soto@example.com' };

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

/** The columns of an order that `contact` places without delivery. */
export const contactColumns: Contact = {
  ...EMPTY_CONTACT,
  ...Object.fromEntries(
    Object.entries(contact).map(([name, value]) => [CONTACT_FIELDS[name as ContactFieldName].column, value]),
  ),
};

const MUG_PRICE = centavos(28_900);

/** Returns what a form posts of its shipping option, and of what its page shows for one cup with this option. */
function chosen(product_id: string, { id, price, greatest }: ShippingOption) {
  const lines = [{ product: { id: product_id }, quantity: 1, unitPrice: MUG_PRICE, discount: centavos(0) }];
  const total = centavos(MUG_PRICE + price);
  return { shipping_option: id, seen: seenOf({ lines, discount: undefined }, { id, price, greatest, total }) };
}

const FREE = { price: centavos(0), greatest: centavos(0) };
const none: ShippingOption = { id: 'none', kind: 'none', ...FREE };

/** The form of a customer who buys one product of $289.00 that requires no shipping, complete with what the page shows. */
export const checkoutForm = (product_id: string) => ({ ...contact, ...chosen(product_id, none) });
/** The same for one `taza-talavera`. */
export const mugOrder = checkoutForm('taza-talavera');

const options = shippingOptions(DEFAULT_TABLE, [{ product: { requiresShipping: true }, quantity: 1 }], MUG_PRICE, {
  state: 'OAX',
});
/** The shop's first shipping option with an address, with its price for one `taza-enviada`. */
export const delivery = options.find(({ kind }) => kind === 'delivery') ?? none;

/** The form of a customer who has one `taza-enviada` delivered, complete with what the page shows. */
export const mugDelivery = { ...contact, ...address, ...chosen('taza-enviada', delivery) };
export const mugDeliveryTotal = MUG_PRICE + delivery.price;

/** Fields of a customer who picks one `taza-enviada` up. */
export const mugPickup = chosen('taza-enviada', { id: 'pickup', kind: 'pickup', ...FREE });

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

  /** A checkout form without a shipping option gets the first one that the page offers. It posts what the page shows for its option. */
  async post(path: string, fields: object): Promise<Response> {
    const { shipping_option: choice, seen }: { shipping_option?: string; seen?: string } = fields;
    const isRead = CHECKOUT_FORM.test(path) && (choice === undefined || seen === undefined);
    return this.send(path, isRead ? { ...(await this.readCheckout(choice)).fields, ...fields } : fields);
  }

  /** Posts these fields only. Returns the page of the form if it was not accepted. */
  async send(path: string, fields: object | string): Promise<Response> {
    const answer = await this.agent.post(path).type('form').redirects(0).send(fields);
    const { location = '' } = answer.headers;
    return FORM_PAGE.test(location) ? this.agent.get(location).redirects(0) : answer;
  }

  /** Reads the checkout form. Returns its first shipping option with an address, and what it shows, as the form posts them. */
  async readDelivery(): Promise<Partial<Record<string, string>>> {
    return (await this.readCheckout()).fields;
  }

  /** Also returns the total on the page, in centavos. `choice`: the chosen option, instead of the first with an address. */
  async readCheckout(
    choice?: string,
  ): Promise<{ readonly fields: Partial<Record<string, string>>; readonly total: number }> {
    const { text } = await this.agent.get('/checkout').redirects(1);
    const [total, first] = [shownTotal(text), valueIn(text, 'shipping_option')];
    if (first === undefined) return { fields: {}, total };
    const option = choice ?? first;
    const seen = new RegExp(`value="${option}" data-seen="([^"]*)"`).exec(text)?.[1] ?? valueIn(text, 'seen');
    return {
      fields: { ...(choice === undefined && first !== 'none' && address), shipping_option: option, seen },
      total,
    };
  }

  async payHosted(fields: object = contact): Promise<Response> {
    return this.post('/checkout/hosted', fields);
  }
}

/** Returns the value of the first field with this name. */
export function valueIn(html: string, name: string): string | undefined {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
}

/** Returns the total that a checkout page shows, in centavos. */
export function shownTotal(html: string): number {
  const pesos = /data-shown-total>[^<\d]*([\d,.]+)/.exec(html)?.[1]?.replaceAll(',', '');
  return Math.round(Number(pesos) * 100);
}

/** Returns the session id in the URL of a hosted page. Throws if there is none. */
export function sessionIdOf(url: string | undefined): string {
  if (url === undefined) throw new Error('the checkout form was not accepted: it did not redirect to the hosted page');
  const id = new URL(url).pathname.split('/').at(-1);
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
