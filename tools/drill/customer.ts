/** A customer of the drill, and the steps of a purchase. */
import { setTimeout as delay } from 'node:timers/promises';
import { contact, readOrderPage, Customer as TestCustomer } from '../../test/support/customer.js';
import { exchange } from '../../test/support/http.js';
import { CARDS } from '../../test/support/purchase.js';
import type { Environment } from './environment.js';

/** A response of supertest or of `exchange`. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: { readonly location?: string };
}

/** Buys the environment's product, measures responses and records pages that contain a secret. */
export class Customer extends TestCustomer {
  readonly #environment: Environment;
  slowestMs = 0;

  constructor(environment: Environment) {
    super({ url: environment.nextUrl() });
    this.#environment = environment;
  }

  override get(path: string) {
    return this.#record(path, super.get(path));
  }

  override post(path: string, fields: object) {
    return this.#record(path, super.post(path, fields));
  }

  async #record<T extends Reply>(path: string, response: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const reply = await response;
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - startedAt));
    const { secrets, leakingPages } = this.#environment;
    if (secrets.some((secret) => reply.text.includes(secret))) leakingPages.add(path);
    return reply;
  }

  override add(): Promise<void> {
    return super.add({ product_id: this.#environment.product.id });
  }

  async payByCard(number: string = CARDS.paid): Promise<Reply> {
    const tokens = await this.#environment.control('tokenizeCard', number);
    return this.post('/checkout/card', { ...contact, ...tokens });
  }

  /** Pays the order of a path from its link. */
  async payLinkByCard(path: string, fields: object = contact): Promise<Reply> {
    const tokens = await this.#environment.control('tokenizeCard', CARDS.paid);
    return this.post(`${path}/pay/card`, { ...fields, ...tokens });
  }

  /** Follows a redirect. Returns the state that the order page shows, or an empty string for any other page. */
  async followToOrder(reply: Reply): Promise<string> {
    const page = await this.get(pathOf(reply.headers.location));
    return readOrderPage(page.text).state;
  }
}

export async function customerWithCart(environment: Environment): Promise<Customer> {
  const customer = new Customer(environment);
  await customer.add();
  return customer;
}

/** Opens the hosted page for a new customer. Throws if the shop does not redirect to it. */
export async function openHostedPage(environment: Environment) {
  const customer = await customerWithCart(environment);
  const reply = await customer.payHosted();
  const session = redirectedSession(environment, reply);
  if (session === undefined) throw new Error(`no hosted page: the shop answered ${reply.status}`);
  return { customer, session };
}

/** Returns the session id of a redirect to the hosted page, or `undefined` for any other response. */
export function redirectedSession({ simulatorUrl }: Environment, reply: Reply): string | undefined {
  const page = `${simulatorUrl}/checkout/`;
  const { location } = reply.headers;
  return reply.status === 302 && location?.startsWith(page) ? location.slice(page.length) : undefined;
}

/** Pays the session at the simulator. Returns the path to which the gateway redirects the customer. */
export async function paySession({ control }: Environment, id: string): Promise<string> {
  const outcome = await control('paySession', id);
  if (!('redirectTo' in outcome)) throw new Error(`the page cannot be paid: ${outcome.kind}`);
  return pathOf(outcome.redirectTo);
}

/** Opens and pays a hosted page. The customer has not returned to the shop. */
export async function openPaidPage(environment: Environment) {
  const { customer, session } = await openHostedPage(environment);
  return { customer, session, returnPath: await paySession(environment, session) };
}

/** Places an order whose card is declined. Returns its path. */
export async function openDeclinedOrder(environment: Environment): Promise<string> {
  const customer = await customerWithCart(environment);
  return pathOf((await customer.payByCard(CARDS.declined)).headers.location);
}

/** Posts a webhook, by default with the right credentials. */
export function postWebhook(
  environment: Environment,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = environment.webhookHeaders,
) {
  return exchange(environment.nextUrl(), '/webhooks/payments', { method: 'POST', body, headers });
}

export function pathOf(address = '/'): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return `${pathname}${search}`;
}

export function expectStatus<T extends Reply>(reply: T, status: number): T {
  if (reply.status !== status) throw new Error(`answered ${reply.status} instead of ${status}`);
  return reply;
}

export interface Retries {
  readonly tries: number;
  pauseMs(): number;
}

export const ONCE: Retries = { tries: 1, pauseMs: () => 0 };

/** Retries while a request throws or the shop answers 5xx. Throws or returns the last outcome. */
export async function retry<T>({ tries, pauseMs }: Retries, send: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      const reply = await send();
      if (left === 0 || !isServerError(reply)) return reply;
    } catch (error) {
      if (left === 0) throw error;
    }
    await delay(pauseMs());
  }
}

function isServerError(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'status' in reply && Number(reply.status) >= 500;
}

/**
 * Buys through the hosted page and adds the session to `acknowledged` before paying. Returns the path back to the shop,
 * or `undefined` if the shop does not redirect to the page.
 */
export async function buyHosted(
  { environment, acknowledged }: { readonly environment: Environment; readonly acknowledged: string[] },
  customer: Customer,
  retries: Retries,
): Promise<string | undefined> {
  await retry(retries, () => customer.add());
  const session = redirectedSession(environment, await retry(retries, () => customer.payHosted()));
  if (session === undefined) return undefined;
  acknowledged.push(session);
  return paySession(environment, session);
}
