/** Carts that `payments.place` places, as an own host does: two customers, changed carts, and an earlier order of any cart. */
import assert from 'node:assert/strict';
import { centavos, ID_BYTES, ORDER_NUMBER_BYTES, orderNumber, type PaymentFlow } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { insertOrder } from '../../../src/tables/orders.js';
import { LINE, orderRow } from '../../support/rows.js';
import { always, COMMANDS, given } from './commands.js';
import { refusalOf, type System } from './system.js';

interface OwnCart {
  readonly id: string;
  readonly version: number;
}

/** The present customer's place in `carts`, and the order that this customer's session names as the earlier one. */
interface Session {
  carts: readonly [OwnCart, OwnCart];
  customer: 0 | 1;
  earlier: number | undefined;
}

const sessions = new WeakMap<System, Session>();

function sessionOf(system: System): Session {
  const session = sessions.get(system);
  if (!session) throw new Error('useOwnCarts was not called');
  return session;
}

function changeCart(system: System, change: (cart: OwnCart) => OwnCart): void {
  const session = sessionOf(system);
  const [first, second] = session.carts;
  session.carts = session.customer === 0 ? [change(first), second] : [first, change(second)];
}

/** Replaces the carts of the shop by own ones. The commands of the model stay the same. */
export function useOwnCarts(system: System): void {
  const newCart = () => ({ id: Buffer.from(system.context.random(16)).toString('hex'), version: 1 });
  sessions.set(system, { carts: [newCart(), newCart()], customer: 0, earlier: undefined });
  let hasDecided = false;
  let hasOtherKey = false;
  const { decide, changeKey } = system;
  const pay = async (flow: PaymentFlow, start: (orderId: string) => Promise<unknown>) => {
    const cart = sessionOf(system).carts[sessionOf(system).customer];
    const before = await chargesOf(system, cart.id);
    const sent = system.simulator.control.calls('process').length;
    const placed = await placeCart(system, cart, flow);
    if (placed.kind === 'placed') await start(placed.order.id);
    else if (placed.order.state === 'paid') changeCart(system, (own) => (own === cart ? newCart() : own));
    const mayRepeat = system.paysAgain || hasDecided || hasOtherKey || before === 0;
    const isRepeated = system.simulator.control.calls('process').length > sent;
    assert(mayRepeat || !isRepeated, 'I5: no card is sent beside a charge of the cart without a confirmed warning');
  };
  Object.assign(system, {
    add: async () => changeCart(system, (cart) => ({ ...cart, version: cart.version + 1 })),
    placeOnly: (flow) => refusalOf(pay(flow, async () => {})).then(() => {}),
    submitHosted: async () => {
      const options = { payAgain: system.paysAgain };
      await refusalOf(pay('hosted', (id) => system.context.payments.startHosted(id, options)));
    },
    submitCard: (card) =>
      system.sendCard(card, (tokens) => {
        const options = { payAgain: system.paysAgain };
        return pay('card', (id) => system.context.payments.startCard(id, tokens, options));
      }),
    decide: async (...decision) => {
      hasDecided = true;
      await decide.apply(system, decision);
    },
    changeKey: async () => {
      hasOtherKey = true;
      await changeKey.call(system);
    },
  } satisfies Partial<System>);
  system.checks.add(checkEnds);
}

async function placeCart(system: System, cart: OwnCart, flow: PaymentFlow) {
  const { context } = system;
  const { earlier } = sessionOf(system);
  return context.payments.place({
    flow,
    payAgain: system.paysAgain,
    number: orderNumber('MX', context.random(ORDER_NUMBER_BYTES)),
    total: centavos(100 * cart.version),
    payableUntil: context.clock.now() + 7 * 24 * 3_600_000,
    earlier: earlier === undefined ? undefined : (await system.orders())[earlier]?.id,
    find: (tx) =>
      tx
        .selectFrom('orders')
        .selectAll()
        .where('cartId', '=', cart.id)
        .orderBy('cartVersion', 'desc')
        .limit(1)
        .executeTakeFirst(),
    same: ({ cartVersion }) => cartVersion === cart.version,
    async insert(tx, payment) {
      const id = Buffer.from(context.random(ID_BYTES)).toString('hex');
      const order = { ...orderRow({ id, cartId: cart.id, cartVersion: cart.version }), ...payment };
      await insertOrder(tx, order, [{ ...LINE, unitPrice: payment.total, priceBefore: null }], null);
      return { id };
    },
  });
}

/** Counts the charges of a cart that its customer has not got back, and that the shop knows or can look up. */
async function chargesOf(system: System, cartId: string): Promise<number> {
  const ids = (await system.orders()).filter((order) => order.cartId === cartId).map(({ id }) => id);
  const states = ['open', 'superseded', 'unknown', 'paid'];
  const attempts = (await system.attempts()).filter(
    ({ orderId, state }) => ids.includes(orderId) && states.includes(state),
  );
  const returned = new Set(system.simulator.control.refundLedger().map(({ originalId }) => originalId));
  const charges = system.simulator.control.ledger().filter(({ id }) => !returned.has(id));
  return charges.filter(({ id, reference }) =>
    attempts.some(({ gatewayId, reference: own }) => (gatewayId ?? id) === id && own === reference),
  ).length;
}

async function checkEnds(system: System): Promise<void> {
  const { queries } = system.context.db;
  const ends = await queries.selectFrom('orderEvents').select('orderId').where('kind', '=', 'superseded').execute();
  const ids = ends.map(({ orderId }) => orderId);
  assert(new Set(ids).size === ids.length, 'I5: no order is ended twice');
  const orders = await system.orders();
  const replaced = orders.filter(({ supersededBy }) => supersededBy !== null);
  const isNewest = (id: string | null) => orders.some((order) => order.id === id && order.supersededBy === null);
  assert(
    replaced.every(({ supersededBy }) => isNewest(supersededBy)),
    'a replaced order is linked to the newest one',
  );
}

/** The commands of the core, and what an own host adds. */
export const OWN_CART_COMMANDS = [
  ...COMMANDS,
  always('the other customer comes', async (system) => {
    const session = sessionOf(system);
    session.customer = session.customer === 0 ? 1 : 0;
  }),
  // It is foreign if it is of the other cart, and may be paid or replaced.
  given('the session names as earlier order', fc.constantFrom(0, 1, 2, 9), async (system, earlier) => {
    sessionOf(system).earlier = earlier;
  }),
  always('submit card twice at once', async (system) => {
    await Promise.all([system.submitCard('paid'), system.submitCard('paid')]);
  }),
  always('the cart changes between two submits at once', async (system) => {
    await Promise.all([system.submitHosted(), system.add('papel-picado').then(() => system.submitHosted())]);
  }),
];
