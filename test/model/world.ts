/** One shopper with one cart, the service and the background, as the model test plays them. */
import { randomUUID } from 'node:crypto';
import { addToCart } from '../../src/checkout/change-cart.js';
import { decideOrder } from '../../src/checkout/decide-order.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { receiveWebhook } from '../../src/checkout/receive-webhook.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import type { CheckoutServices } from '../../src/checkout/services.js';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { startCardPayment } from '../../src/checkout/start-card-payment.js';
import { startHostedCheckout } from '../../src/checkout/start-hosted-checkout.js';
import { findProduct } from '../../src/core/catalogue.js';
import { type MerchantDecision, openDecisions } from '../../src/core/decision.js';
import { ShopError } from '../../src/core/shop-error.js';
import { CARDS } from '../support/purchase.js';
import type { TestShop } from '../support/test-shop.js';

/** Long enough for a call on loopback; a process that dies later dies all the same. */
const STUCK_MS = 25;

const contact = { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@example.com' };

export type Card = keyof typeof CARDS;

export class World {
  readonly shop: TestShop;
  readonly paidOnce = new Set<string>();
  readonly cartIds: string[] = [];
  #services: CheckoutServices;
  #cartId: string | undefined;

  constructor(shop: TestShop) {
    this.shop = shop;
    this.#services = shop.services.checkout;
  }

  /** Sends the flows through other services: those of a restarted process, or with a scheduled gateway. */
  use(services: CheckoutServices): void {
    this.#services = services;
  }

  get services(): CheckoutServices {
    return this.#services;
  }

  async add(productId: string): Promise<void> {
    const product = findProduct(productId);
    if (!product) throw new Error('no such product');
    const change = await addToCart(this.#services, this.#cartId, { product, quantity: 1 });
    if (change.kind === 'changed' && change.cartId && change.cartId !== this.#cartId) {
      this.#cartId = change.cartId;
      this.cartIds.push(change.cartId);
    }
  }

  async submitHosted(): Promise<void> {
    await this.#forgiving(startHostedCheckout(this.#services, this.#request()));
  }

  async submitCard(card: Card): Promise<void> {
    const tokens = this.shop.simulator.control.tokenizeCard(CARDS[card]);
    await this.#forgiving(startCardPayment(this.#services, this.#request(), tokens));
  }

  /** Work of a process that died: it never ends, and nobody waits for it. */
  leaveBehind(work: Promise<unknown>): void {
    work.catch(() => {});
  }

  /** Until the dying process has made its call, or had none to make. */
  async untilStuck(callsBefore: number, when: 'before' | 'after'): Promise<void> {
    const { control } = this.shop.simulator;
    const endsAt = performance.now() + STUCK_MS;
    const made = () => when === 'after' && control.calls().length > callsBefore;
    while (!made() && performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 5));
    if (made()) await new Promise((resolve) => setTimeout(resolve, STUCK_MS));
  }

  async paySession(n: number): Promise<void> {
    const session = (await this.#shownSessions())[n];
    if (session) this.shop.simulator.control.paySession(session.id);
  }

  async cancelSession(n: number): Promise<void> {
    const session = (await this.#shownSessions())[n];
    if (session) this.shop.simulator.control.cancelSession(session.id);
  }

  async answerBank(n: number, approves: boolean): Promise<void> {
    const waiting = (await this.payments()).filter((payment) => /^pending$/i.test(payment.status));
    const payment = waiting[n % Math.max(1, waiting.length)];
    if (!payment) return;
    if (approves) this.shop.simulator.control.approve(payment.id);
    else this.shop.simulator.control.refuse(payment.id);
  }

  async lookAgain(trigger: 'return' | 'order_page'): Promise<void> {
    for (const order of await this.orders()) await settlePayment(this.#services, order.id, trigger);
  }

  /** The service tells of everything it knows of this shopper, truly named, in a new message each. */
  async webhooks(): Promise<void> {
    for (const { id } of await this.sessions())
      await this.#receive({ action: 'session.completed', data: { id } });
    for (const { id, reference } of await this.payments())
      await this.#receive({ id, client_reference: reference });
    await processInbox(this.#services);
  }

  async #receive(message: object): Promise<void> {
    await receiveWebhook(this.#services, JSON.stringify({ ...message, nonce: randomUUID() }));
  }

  async work(): Promise<void> {
    while ((await reconcile(this.#services, { take: () => true })) > 0);
  }

  /** The merchant decides about every order that leaves it open, rightly or not; `knows` what the service's desk shows. */
  async decide(decision: MerchantDecision, knows: boolean): Promise<void> {
    const payments = await this.payments();
    const attempts = await this.attempts();
    for (const order of await this.orders()) {
      if (!openDecisions(order).includes(decision)) continue;
      const lost = attempts.find((each) => each.orderId === order.id && each.serviceId === null);
      const found = payments.find(({ reference }) => reference === lost?.reference);
      const { id: orderId, version } = order;
      const serviceId = knows && found ? { serviceId: found.id } : {};
      await decideOrder(this.#services, { orderId, version, decision, note: '', ...serviceId });
    }
  }

  /** This shopper's sessions at the service, those whose answer was lost included. */
  async sessions() {
    const numbers = await this.#references();
    const all = this.shop.simulator.control.sessions();
    return all.filter(({ request }) => numbers.has(request.external_id ?? ''));
  }

  async payments() {
    const numbers = await this.#references();
    return this.shop.simulator.control.payments().filter(({ reference }) => numbers.has(reference));
  }

  async charges() {
    const numbers = await this.#references();
    return this.shop.simulator.control.ledger().filter(({ reference }) => numbers.has(reference ?? ''));
  }

  /** A session whose answer was lost has an address that nobody ever saw: no shopper can pay there. */
  async #shownSessions() {
    const attempts = await this.attempts();
    return (await this.sessions()).filter(({ id }) => attempts.some((attempt) => attempt.serviceId === id));
  }

  /** An order's number is unique over all runs, so it tells the shoppers of different runs apart. */
  async #references(): Promise<ReadonlySet<string>> {
    const attempts = await this.attempts();
    return new Set(attempts.map((attempt) => attempt.reference));
  }

  async attempts() {
    const orders = await this.orders();
    const ids = ['none', ...orders.map((order) => order.id)];
    const { queries } = this.#services.db;
    return queries
      .selectFrom('attempts')
      .selectAll()
      .where('orderId', 'in', ids)
      .orderBy('createdAt')
      .execute();
  }

  async fulfilments() {
    const orders = await this.orders();
    const ids = ['none', ...orders.map((order) => order.id)];
    return this.#services.db.queries
      .selectFrom('fulfilments')
      .selectAll()
      .where('orderId', 'in', ids)
      .execute();
  }

  advance(minutes: number): void {
    this.shop.clock.advance(minutes * 60_000);
    this.shop.simulator.control.advanceClock(minutes * 60_000);
  }

  orders() {
    const { queries } = this.#services.db;
    const ids = this.cartIds.length > 0 ? this.cartIds : ['none'];
    return queries.selectFrom('orders').selectAll().where('cartId', 'in', ids).orderBy('createdAt').execute();
  }

  #request() {
    return { cartId: this.#cartId, contact, locale: 'es-MX' as const, ownOrders: [] };
  }

  async #forgiving(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error;
    });
  }
}
