import { Customer } from './customer.js';

/** A customer behind the proxy at an address of its own, without a cart or a session. For a shop with `TRUST_PROXY`. */
export function customerAt(address: string, at: { readonly url: string }): Customer {
  const customer = new Customer(at);
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

/** The same with a cart of one line. */
export async function cartAt(address: string, at: { readonly url: string }): Promise<Customer> {
  const customer = customerAt(address, at);
  await customer.add();
  return customer;
}
