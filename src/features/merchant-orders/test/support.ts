/** The form of an order that the merchant makes. */
import { MUG } from '../../../../test/support/catalog.js';
import { type Customer, contact } from '../../../../test/support/customer.js';

export const NEW = '/admin/orders/new';
export const form = { product_1: MUG, quantity_1: '1', ...contact, payable_hours: '24' };

export const valueIn = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** Fills the empty form, and asks for the total. */
export async function review(merchant: Customer, fields: object = {}) {
  const key = valueIn((await merchant.get(NEW)).text, 'form_key');
  const typed: Record<string, string> = { ...form, form_key: key, ...fields };
  const page = await merchant.post(NEW, { ...typed, step: 'total' });
  return { typed, page, confirmed: { ...typed, step: 'create', seen: valueIn(page.text, 'seen') } };
}
