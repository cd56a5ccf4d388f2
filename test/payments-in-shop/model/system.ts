/** The system under test: one customer with one cart, the gateway and the background work. */

import assert from 'node:assert/strict';
import type { Simulator } from '@tianguis/gateway-tools';
import type { CardTokens, PaymentFlow } from '@tianguis/payments/rules';
import { type AdminDecision, openDecisions, PaymentError, type PaymentErrorCode } from '@tianguis/payments/rules';
import { decideOrder } from '../../../packages/payments/src/decide-order.js';
import { processInbox } from '../../../packages/payments/src/process-inbox.js';
import { receiveWebhook } from '../../../packages/payments/src/receive-webhook.js';
import { reconcile } from '../../../packages/payments/src/reconcile.js';
import { verifyPayment } from '../../../packages/payments/src/verify-payment.js';
import { expireRefundLeases } from '../../../packages/payments/src/write-refund-outcome.js';
import { addToCart } from '../../../src/shop/change-cart.js';
import type { CheckoutContext } from '../../../src/shop/checkout-context.js';
import { ownershipMarkOf } from '../../../src/shop/order-ownership.js';
import { placeAndStart, placeOrder } from '../../../src/shop/place-order.js';
import { priceWithCode } from '../../../src/shop/price-cart.js';
import { priceCart } from '../../../src/shop/rules/cart.js';
import { quotesFor } from '../../../src/shop/rules/fees.js';
import { seenOf } from '../../../src/shop/seen.js';
import { findCart, incrementCartVersion, lockCart, setDiscountCode } from '../../../src/tables/carts.js';
import { testProducts } from '../../support/catalog.js';
import { changeCheckout } from '../../support/change-checkout.js';
import { NO_ADDRESS } from '../../support/customer.js';
import { CARDS } from '../../support/purchase.js';
import { startCardPayment } from '../support.js';
import type { RunEnvironment, ShopProcess } from './environment.js';

const products = testProducts();
const PLACE = { street: 'Calle 1', deliveryState: 'OAX', postalCode: '68000', phone: '9515550101' };

export type Card = keyof typeof CARDS;

export class System {
  readonly simulator: Simulator;
  /** Ids of all orders that were paid at any time. */
  readonly paidOrderIds = new Set<string>();
  /** Orders whose payment past the gateway a manager recorded. */
  readonly recordedOutside = new Set<string>();
  /** The services that all flows use, for example those of a process that is about to die. */
  context: CheckoutContext;
  /** The customer chooses the last shipping option of a cart, otherwise the first. */
  choosesLast: boolean = true;
  email = 'eva@example.com';
  /** The customer confirms each warning that an earlier attempt may still be charged. */
  paysAgain: boolean = false;
  /** Invariants of features, checked with the others. */
  readonly checks = new Set<(system: System) => Promise<void>>();
  /** The host failed at any time, so that a paid order may wait for the decision to apply it again. */
  hasFailedHost: boolean = false;
  /** Number of times that the customer submitted a card. */
  cardSubmits = 0;
  /** Number of them whose answer means that they charged nothing. */
  refusedCards = 0;
  readonly #environment: RunEnvironment;
  #process: ShopProcess;
  #cartId: string | undefined;
  #key: string;

  private constructor(environment: RunEnvironment, process: ShopProcess) {
    this.simulator = environment.simulator;
    this.#environment = environment;
    this.#process = process;
    this.context = process.context;
    this.#key = process.context.config.keyFingerprint;
  }

  static async open(environment: RunEnvironment): Promise<System> {
    return new System(environment, await environment.openProcess());
  }

  /** Kills the process during its work and starts a new one. */
  async restart(): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    this.#process = await this.#environment.openProcess();
    const { context } = this.#process;
    this.context = changeCheckout(context, { config: { ...context.config, keyFingerprint: this.#key } });
  }

  /** Replaces the API key by another one of the same account. */
  async changeKey(): Promise<void> {
    this.#key += 'x';
    await this.restart();
  }

  advance(minutes: number): void {
    this.#environment.clock.advance(minutes * 60_000);
    this.simulator.control.advanceClock(minutes * 60_000);
  }

  async add(productId: string): Promise<void> {
    const product = products.find(({ id }) => id === productId);
    if (!product) throw new Error('no such product');
    const change = await addToCart(this.context, this.#cartId, { product, quantity: 1 });
    if (change.kind === 'changed') this.#cartId = change.cartId;
  }

  /** Stores a discount code in the cart, or removes it. */
  async setCode(code: string | null): Promise<void> {
    const id = this.#cartId ?? '';
    await this.context.db.transaction(async (queries) => {
      await lockCart(queries, id);
      await setDiscountCode(queries, id, code);
      await incrementCartVersion(queries, id, this.context.clock.now());
    });
  }

  /** Submits the form to a process that dies before the payment starts. */
  async placeOnly(flow: PaymentFlow): Promise<void> {
    await refusalOf(placeOrder(this.context, await this.#request(), flow));
  }

  async submitHosted(): Promise<void> {
    await refusalOf(placeAndStart(this.context, await this.#request(), 'hosted', this.context.payments.startHosted));
  }

  async submitCard(card: Card): Promise<void> {
    const request = await this.#request();
    await this.sendCard(card, (tokens) => startCardPayment(this.context, request, tokens));
  }

  async sendCard(card: Card, send: (tokens: CardTokens) => Promise<unknown>): Promise<void> {
    this.cardSubmits += 1;
    const code = await refusalOf(send(this.simulator.control.tokenizeCard(CARDS[card])));
    if (code) this.refusedCards += 1;
  }

  /** The customer pays or cancels one of the known sessions. The URL of a session is unknown if the answer was lost. */
  async endSession(index: number, end: 'paySession' | 'cancelSession'): Promise<void> {
    const attempts = await this.attempts();
    const sessions = this.simulator.control.sessions();
    const known = sessions.filter(({ id }) => attempts.some(({ gatewayId }) => gatewayId === id));
    const session = known[index];
    if (session) this.simulator.control[end](session.id);
  }

  async answerBank(index: number, approves: boolean): Promise<void> {
    const { control } = this.simulator;
    const pending = control.payments().filter((payment) => /^pending$/i.test(payment.status));
    const payment = pending[index % Math.max(1, pending.length)];
    if (!payment) return;
    if (approves) control.approve(payment.id);
    else control.refuse(payment.id);
  }

  async settleAll(trigger: 'return' | 'order_page'): Promise<void> {
    for (const order of await this.orders()) await verifyPayment(this.context, order.id, trigger);
  }

  /** Delivers one new webhook event for each session and payment of the gateway, with its correct id. */
  async deliverWebhooks(): Promise<void> {
    const { control } = this.simulator;
    const events = [
      ...control.sessions().map(({ id }) => ({ action: 'session.completed', data: { id } })),
      ...control.payments().map(({ id, reference }) => ({ id, client_reference: reference })),
      ...control.refunds().map(({ id, originalId }) => ({ id, original_transaction_id: originalId })),
    ];
    for (const event of events) {
      const nonce = Buffer.from(this.context.random(16)).toString('hex');
      await receiveWebhook(this.context, JSON.stringify({ ...event, nonce }));
    }
    await processInbox(this.context);
  }

  async reconcile(): Promise<void> {
    while ((await reconcile(this.context, 'live')) + (await reconcile(this.context, 'watched')) > 0);
    const stop = new AbortController().signal;
    await expireRefundLeases(this.context);
    for (const loop of this.context.loops) await loop.process(stop);
  }

  /**
   * Applies the decision to every order that allows it, correct or not. With `namesPayment`, the merchant passes
   * the id of the gateway payment whose answer was lost.
   */
  async decide(decision: AdminDecision, namesPayment: boolean): Promise<void> {
    const payments = this.simulator.control.payments();
    const attempts = await this.attempts();
    for (const order of await this.orders()) {
      if (!openDecisions(order, false).includes(decision)) continue;
      const lost = attempts.find((each) => each.orderId === order.id && each.gatewayId === null);
      const found = payments.find(({ reference }) => reference === lost?.reference);
      const { id: orderId, version } = order;
      const gatewayId = namesPayment && found ? { gatewayId: found.id } : {};
      await decideOrder(this.context, { orderId, version, decision, by: 'ana', note: '', ...gatewayId });
    }
  }

  orders() {
    return this.context.db.queries.selectFrom('orders').selectAll().orderBy('createdAt').execute();
  }

  attempts() {
    return this.context.db.queries.selectFrom('attempts').selectAll().orderBy('createdAt').execute();
  }

  refunds() {
    return this.context.db.queries.selectFrom('refunds').selectAll().orderBy('id').execute();
  }

  fulfillments() {
    return this.context.db.queries.selectFrom('fulfillments').selectAll().execute();
  }

  async #request() {
    const { db, clock, settings } = this.context;
    const at = clock.now();
    const { shipping } = settings.current();
    const cart = this.#cartId === undefined ? undefined : await findCart(db.queries, this.#cartId, at);
    const priced = cart ? await priceWithCode(db.queries, this.context, cart, { at }) : priceCart({ lines: [] });
    const quotes = quotesFor(shipping, priced, { shippingOption: undefined });
    const chosen = quotes.at(this.choosesLast ? -1 : 0);
    const address = chosen?.kind === 'delivery' ? { ...NO_ADDRESS, ...PLACE } : NO_ADDRESS;
    return {
      cartId: this.#cartId,
      contact: { firstName: 'Eva', lastName: 'Ruiz', email: this.email, ...address },
      choice: { shippingOption: chosen?.id },
      nameOfFee: () => 'Envío',
      seen: chosen ? seenOf(priced, chosen) : '',
      locale: 'es-MX' as const,
      ownershipMarks: (await this.orders()).map(ownershipMarkOf),
      payAgain: this.paysAgain,
    };
  }
}

/** Returns the code of an error that the customer sees, if the start throws one. */
export async function refusalOf(start: Promise<unknown>): Promise<PaymentErrorCode | undefined> {
  return start.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof PaymentError)) throw error;
      assert(
        (error.code === 'busy') === (error.orderId !== undefined),
        'a busy start names the order without an answer',
      );
      return error.code;
    },
  );
}
