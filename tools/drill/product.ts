/** The product that the customers of a drill buy: the first one on the home page. */
import { Customer } from '../../test/support/customer.js';

/** Finds its id and the total of an order of one piece in centavos through the pages of a shop. Throws if the shop sells nothing. */
export async function findProduct(url: string) {
  const customer = new Customer({ url });
  const path = await findOn(customer, '/', /href="(\/products\/[^"]+)"/);
  const id = await findOn(customer, path, /name="product_id" value="([^"]+)"/);
  await customer.add({ product_id: id });
  const { seen_total: total } = await customer.readDelivery();
  return { id, price: Number(total) };
}

async function findOn(customer: Customer, path: string, pattern: RegExp): Promise<string> {
  const { status, text } = await customer.get(path);
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`the shop sells nothing: ${path} answered ${status}`);
  return match;
}
