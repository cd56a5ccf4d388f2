/** The system under test: one customer with one cart, the gateway and the background work. */
import { randomUUID } from 'node:crypto';
import { products } from '../../src/catalog/sample-products.js';
import { startCardPayment } from '../../src/checkout/card/start-card-payment.js';
import { addToCart } from '../../src/checkout/change-cart.js';
import type { CheckoutContext } from '../../src/checkout/context.js';
import { decideOrder } from '../../src/checkout/decide-order.js';
import { startHostedCheckout } from '../../src/checkout/hosted/start-hosted-checkout.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { receiveWebhook } from '../../src/checkout/receive-webhook.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { type MerchantDecision, openDecisions } from '../../src/domain/decision.js';
import { ShopError } from '../../src/domain/shop-error.js';
import type { Simulator } from '../../tools/simulator/simulator.js';
import { CARDS } from '../support/purchase.js';
import type { ShopProcess, Stage } from './stage.js';

const contact = { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@example.com' };

export type Card = keyof typeof CARDS;

export class World {
  readonly simulator: Simulator;
  readonly paidOnce = new Set<string>();
  readonly #stage: Stage;
  #process: ShopProcess;
  #context: CheckoutContext;
  #cartId: string | undefined;

  private constructor(stage: Stage, process: ShopProcess) {
    this.simulator = stage.simulator;
    this.#stage = stage;
    this.#process = process;
    this.#context = process.context;
  }

  static async open(stage: Stage): Promise<World> {
    return new World(stage, await stage.openProcess());
  }

  /** Replaces the services that all flows use, for example with those of a process that is about to die. */
  use(context: CheckoutContext): void {
    this.#context = context;
  }

  /** Kills the process during its work and starts a new one. */
  async restart(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#process = await this.#stage.openProcess();
    this.#context = this.#process.context;
  }

  get context(): CheckoutContext {
    return this.#context;
  }

  async add(productId: string): Promise<void> {
    const product = products.find(({ id }) => id === productId);
    if (!product) throw new Error('no such product');
    const change = await addToCart(this.#context, this.#cartId, { product, quantity: 1 });
    if (change.kind === 'changed') this.#cartId = change.cartId;
  }

  async submitHosted(): Promise<void> {
    await this.#forgiving(startHostedCheckout(this.#context, this.#request()));
  }

  async submitCard(card: Card): Promise<void> {
    const tokens = this.simulator.control.tokenizeCard(CARDS[card]);
    await this.#forgiving(startCardPayment(this.#context, this.#request(), tokens));
  }

  async paySession(n: number): Promise<void> {
    const session = (await this.#shownSessions())[n];
    if (session) this.simulator.control.paySession(session.id);
  }

  async cancelSession(n: number): Promise<void> {
    const session = (await this.#shownSessions())[n];
    if (session) this.simulator.control.cancelSession(session.id);
  }

  async answerBank(n: number, approves: boolean): Promise<void> {
    const waiting = this.payments().filter((payment) => /^pending$/i.test(payment.status));
    const payment = waiting[n % Math.max(1, waiting.length)];
    if (!payment) return;
    if (approves) this.simulator.control.approve(payment.id);
    else this.simulator.control.refuse(payment.id);
  }

  async lookAgain(trigger: 'return' | 'order_page'): Promise<void> {
    for (const order of await this.orders()) await settlePayment(this.#context, order.id, trigger);
  }

  /**
   * Delivers one new webhook event for each session and payment of the gateway. Every event names its object
   * correctly.
   */
  async webhooks(): Promise<void> {
    for (const { id } of this.sessions()) await this.#receive({ action: 'session.completed', data: { id } });
    for (const { id, reference } of this.payments()) await this.#receive({ id, client_reference: reference });
    await processInbox(this.#context);
  }

  async #receive(message: object): Promise<void> {
    await receiveWebhook(this.#context, JSON.stringify({ ...message, nonce: randomUUID() }));
  }

  async work(): Promise<void> {
    while ((await reconcile(this.#context)) > 0);
  }

  /**
   * Applies the decision to every order that allows it, correct or not. With `knows`, the merchant passes the id
   * of the gateway payment whose response was lost.
   */
  async decide(decision: MerchantDecision, knows: boolean): Promise<void> {
    const payments = this.payments();
    const attempts = await this.attempts();
    for (const order of await this.orders()) {
      if (!openDecisions(order).includes(decision)) continue;
      const lost = attempts.find((each) => each.orderId === order.id && each.gatewayId === null);
      const found = payments.find(({ reference }) => reference === lost?.reference);
      const { id: orderId, version } = order;
      const gatewayId = knows && found ? { gatewayId: found.id } : {};
      await decideOrder(this.#context, { orderId, version, decision, note: '', ...gatewayId });
    }
  }

  /** All sessions of the gateway, including those whose response was lost. */
  sessions() {
    return this.simulator.control.sessions();
  }

  payments() {
    return this.simulator.control.payments();
  }

  charges() {
    return this.simulator.control.ledger();
  }

  /** Sessions that the customer can pay. The URL of a session was never shown if its response was lost. */
  async #shownSessions() {
    const attempts = await this.attempts();
    return this.sessions().filter(({ id }) => attempts.some((attempt) => attempt.gatewayId === id));
  }

  orders() {
    return this.#context.db.queries.selectFrom('orders').selectAll().orderBy('createdAt').execute();
  }

  attempts() {
    return this.#context.db.queries.selectFrom('attempts').selectAll().orderBy('createdAt').execute();
  }

  fulfillments() {
    return this.#context.db.queries.selectFrom('fulfillments').selectAll().execute();
  }

  advance(minutes: number): void {
    this.#stage.clock.advance(minutes * 60_000);
    this.simulator.control.advanceClock(minutes * 60_000);
  }

  #request() {
    return { cartId: this.#cartId, contact, locale: 'es-MX' as const, ownershipMarks: [] };
  }

  async #forgiving(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!(error instanceof ShopError)) throw error;
    });
  }
}
