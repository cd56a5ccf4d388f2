/** A shopper as HTTP sees one: keeps cookies, follows what leads on, may come back when nobody answered. */
import { setTimeout as delay } from 'node:timers/promises';
import { exchange, type Reply, type Sending } from './http.js';
import type { Stage } from './stage.js';

/** Public test cards by what happens to them. */
export const CARDS = { paid: '4000000000000077', challenged: '4456528080389860' } as const;

let born = 0;

export class Shopper {
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

  /** Asks for the hosted page; a redirect that leads there is what the shop answers for. */
  payHosted(): Promise<Reply> {
    return this.post('/checkout/hosted', this.contact);
  }

  async payByCard(card: string = CARDS.paid): Promise<Reply> {
    const tokens = await this.#stage.strings.tokenizeCard(card);
    return this.post('/checkout/card', { ...this.contact, ...tokens });
  }

  /** As far as the hosted page: the session's id and where the service will send the shopper back to. */
  async openPage(): Promise<OpenPage> {
    expectStatus(await this.addToCart(), 303);
    const reply = await this.payHosted();
    const session = sessionBehind(this.#stage, reply);
    if (session === undefined) throw new Error(`no payment page: the shop answered ${reply.status}`);
    return { shopper: this, session };
  }
}

export interface OpenPage {
  readonly shopper: Shopper;
  readonly session: string;
}

/** The session behind the hosted page that an answer leads to. */
export function sessionBehind(stage: Stage, reply: Reply): string | undefined {
  const { location } = reply.headers;
  const page = `${stage.simulatorUrl}/checkout/`;
  return reply.status === 302 && location?.startsWith(page) ? location.slice(page.length) : undefined;
}

/** The way back to the shop that the service gives a shopper who paid. */
export async function pay(stage: Stage, session: string): Promise<string> {
  const { kind, redirectTo } = await stage.strings.paySession(session);
  if (redirectTo === undefined) throw new Error(`the page cannot be paid: ${kind}`);
  return pathOf(redirectTo);
}

/** Says yes on the bank's page; the way back to the shop. */
export async function approveAtBank(stage: Stage, bankUrl: string): Promise<string> {
  const reply = await exchange(stage.simulatorUrl, pathOf(bankUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'answer=approve',
  });
  return pathOf(expectStatus(reply, 303).headers.location ?? '/');
}

export function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return `${pathname}${search}`;
}

/** What an order page says of its order; empty when it is no such page. */
export function stateOn(page: Reply): string {
  return /data-state="([^"]*)"/.exec(page.text)?.[1] ?? '';
}

export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status) throw new Error(`the shop answered ${reply.status} instead of ${status}`);
  return reply;
}

/** Comes back to the shop and reads the order's page. */
export async function comeBack(shopper: Shopper, returnPath: string): Promise<Reply> {
  const { headers } = expectStatus(await shopper.get(returnPath), 303);
  return shopper.get(pathOf(headers.location ?? '/'));
}

/** Tries again while nobody answers or the shop says "later", as people do. */
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
