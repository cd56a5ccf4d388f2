/** An admin user who refunds a card payment through the forms of the back office. */
import { Customer, expectStatus, type Reply } from './customer.js';
import { addManager } from './database-state.js';
import type { Environment } from './environment.js';

type Fields = Readonly<Record<string, string>>;

/** Adds a manager and returns the browser in which this user is signed in. */
export async function signInManager(environment: Environment, name: string): Promise<Customer> {
  await addManager(environment.databaseUrl, name);
  const admin = new Customer(environment);
  expectStatus(await admin.post('/admin/sign-in', { name, password: environment.settings.ADMIN_PASSWORD }), 303);
  return admin;
}

/** Completes the first step for the only payment of an order. Returns the fields of the second step, without the amount. */
export async function openRefund(admin: Customer, order: string): Promise<Fields> {
  const path = `/admin/orders/${order}/refund`;
  const first = readForm(await admin.get(`${path}?attempt=1`), path);
  return readForm(await admin.post(path, { ...first, reason: 'drill', returns_stock: 'no' }), `${path}s`);
}

/** Submits the second step with the typed amount in centavos. */
export function submitRefund(admin: Customer, order: string, fields: Fields, centavos: number) {
  return admin.post(`/admin/orders/${order}/refunds`, { ...fields, amount: (centavos / 100).toFixed(2) });
}

export async function repeatRefund(admin: Customer, order: string, refundId: string): Promise<void> {
  const page = `/admin/orders/${order}`;
  const action = `${page}/refunds/${refundId}`;
  await admin.post(action, { ...readForm(await admin.get(page), action), action: 'repeat' });
}

/** Returns names and values of the form with this action. Unchecked choices and empty fields are left out. */
export function readForm({ status, text }: Reply, action: string): Fields {
  const forms = text.split('<form').slice(1);
  const form = forms.find((part) => part.includes(`action="${action}"`))?.split('</form>')[0];
  if (form === undefined) throw new Error(`no form for ${action}: answered ${status}`);
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  const sent = inputs.filter((input) => !/type="(?:radio|checkbox)"/.test(input) || /\schecked\b/.test(input));
  const attribute = (input: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  const fields = sent.map((input) => [attribute(input, 'name'), attribute(input, 'value')] as const);
  return Object.fromEntries(fields.filter(([name, value]) => name !== '' && value !== ''));
}
