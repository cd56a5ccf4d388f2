/** HTTP client of one customer for the drill: stores cookies and can retry failed requests. */
import { setTimeout as delay } from 'node:timers/promises';
import { exchange, type Reply, type Sending } from '../../test/support/http.js';
import type { Stage } from './stage.js';

/** Published test cards by outcome. */
export const CARDS = { paid: '4000000000000077', challenged: '4456528080389860' } as const;

let born = 0;

/** A customer. Stores cookies, follows no redirects and records pages that contain a secret. */
export class Customer {
  readonly #stage: Stage;
  readonly #cookies = new Map<string, string>();
  readonly contact: Readonly<Record<string, string>>;

  constructor(stage: Stage) {
    born += 1;
    this.#stage = stage;
    this.contact = { first_name: 'Eva', last_name: 'Ruiz', email: `eva.${born}@example.com` };
  }

  async send(target: string, sending: Sending = {}): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...sending.headers, ...(cookie !== '' && { Cookie: cookie }) };
    const reply = await exchange(this.#stage.nextUrl(), target, { ...sending, headers });
    const { secrets, leakingPages } = this.#stage;
    if (secrets.some((secret) => reply.text.includes(secret))) leakingPages.add(target);
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return reply;
  }

  get(target: string): Promise<Reply> {
    return this.send(target);
  }

  post(target: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.send(target, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
  }

  addToCart(): Promise<Reply> {
    return this.post('/cart/items', { product_id: this.#stage.goods.id, quantity: '1' });
  }

  /** Submits the hosted checkout. Success is a redirect to the hosted page. */
  payHosted(): Promise<Reply> {
    return this.post('/checkout/hosted', this.contact);
  }

  async payByCard(card: string = CARDS.paid): Promise<Reply> {
    const tokens = await this.#stage.strings.tokenizeCard(card);
    return this.post('/checkout/card', { ...this.contact, ...tokens });
  }

  /** Adds to the cart and opens a checkout session. Throws if the shop does not redirect to the hosted page. */
  async openPage(): Promise<OpenPage> {
    expectStatus(await this.addToCart(), 303);
    const reply = await this.payHosted();
    const session = sessionBehind(this.#stage, reply);
    if (session === undefined) throw new Error(`no payment page: the shop answered ${reply.status}`);
    return { customer: this, session };
  }
}

export interface OpenPage {
  readonly customer: Customer;
  readonly session: string;
}

/** Returns the session id of a redirect to the hosted page, or `undefined` for any other response. */
export function sessionBehind(stage: Stage, reply: Reply): string | undefined {
  const { location } = reply.headers;
  const page = `${stage.simulatorUrl}/checkout/`;
  return reply.status === 302 && location?.startsWith(page) ? location.slice(page.length) : undefined;
}

/** Pays the session at the simulator. Returns the path to which the gateway redirects the customer. */
export async function pay(stage: Stage, session: string): Promise<string> {
  const { kind, redirectTo } = await stage.strings.paySession(session);
  if (redirectTo === undefined) throw new Error(`the page cannot be paid: ${kind}`);
  return pathOf(redirectTo);
}

/** Approves the 3D Secure challenge. Returns the path to which the bank redirects the customer. */
export async function approveAtBank(stage: Stage, bankUrl: string): Promise<string> {
  const reply = await exchange(stage.simulatorUrl, pathOf(bankUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'answer=approve',
  });
  return pathOf(expectStatus(reply, 303).headers.location ?? '/');
}

/** Returns path and query of a URL. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return `${pathname}${search}`;
}

/** Returns the state that an order page shows, or an empty string for any other page. */
export function stateOn(page: Reply): string {
  return /data-state="([^"]*)"/.exec(page.text)?.[1] ?? '';
}

/** Returns the response. Throws if it has another status. */
export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status) throw new Error(`the shop answered ${reply.status} instead of ${status}`);
  return reply;
}

/** Follows the return URL and returns the order page. */
export async function comeBack(customer: Customer, returnPath: string): Promise<Reply> {
  const { headers } = expectStatus(await customer.get(returnPath), 303);
  return customer.get(pathOf(headers.location ?? '/'));
}

/**
 * Retries while the connection fails or the shop answers 5xx. Throws or returns the last outcome after `tries`
 * tries.
 */
export async function patiently(
  ask: () => Promise<Reply>,
  { tries, pauseMs }: { readonly tries: number; readonly pauseMs: () => number },
): Promise<Reply> {
  for (let left = tries; ; left -= 1) {
    const reply = await ask().catch((error: unknown) => {
      if (left <= 1) throw error;
      return undefined;
    });
    if (reply && (reply.status < 500 || left <= 1)) return reply;
    await delay(pauseMs());
  }
}
