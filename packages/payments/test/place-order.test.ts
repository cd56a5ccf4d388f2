/** `payments.place` with hosts of their own and the real gateway client: shared `orders`, and tables with a prefix. */
import { describe, expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { PaymentError } from '@tianguis/payments/rules';
import { CARDS } from '../../../test/support/purchase.js';
import { type OwnHost, openOwnHost, SHAPES } from './own-host.js';

const REFUSED: Fault = { kind: 'status', status: 401 };
const LOST: Fault = { kind: 'drop', when: 'after' };

const statesOf = async (host: OwnHost) =>
  (await host.orders()).map(({ state, reviewReason }) => [state, reviewReason] as const);

/** Places an order and opens its hosted page. */
async function openPage(host: OwnHost, key: string, request: Parameters<OwnHost['place']>[1] = {}) {
  const { order } = await host.place(key, request);
  await host.payments.startHosted(order.id);
  return { id: order.id, session: host.control.sessions().at(-1)?.id ?? '' };
}

/** Places an order and sends a card payment for it. */
async function sendCard(host: OwnHost, key: string, card: keyof typeof CARDS) {
  const { order } = await host.place(key, { flow: 'card' });
  await host.payments.startCard(order.id, host.control.tokenizeCard(CARDS[card]));
  return order.id;
}

/** Returns how often each order was ended for another one. */
async function endsOf({ payments, orders }: OwnHost): Promise<readonly number[]> {
  const { queries } = payments.context.db;
  const events = await queries.selectFrom('orderEvents').selectAll().where('kind', '=', 'superseded').execute();
  return (await orders()).map(({ id }) => events.filter(({ orderId }) => orderId === id).length);
}

describe.each(SHAPES)('orders: %s', (shape) => {
  test('two clicks at once and a third one get one order, whose page is opened once', async () => {
    await using host = await openOwnHost(shape);
    const click = async () => {
      const { kind, order } = await host.place('a');
      return [kind, order.id, await host.payments.startHosted(order.id)] as const;
    };

    const clicks = [...(await Promise.all([click(), click()])), await click()];

    const [order] = await host.orders();
    expect(await host.orders()).toHaveLength(1);
    expect(clicks.map(([kind, id]) => [kind, id])).toEqual(clicks.map(() => ['placed', order?.id]));
    expect(host.control.sessions()).toHaveLength(1);
  });

  test('a click that did not find the order of another one gets it after the unique conflict', async () => {
    await using host = await openOwnHost(shape);
    const first = await host.place('a');
    const { find } = host.requestOf('a');
    let runs = 0;
    const findLate: typeof find = async (tx) => {
      runs += 1;
      return runs > 2 ? find(tx) : undefined;
    };

    const second = await host.place('a', { find: findLate });

    expect([second.kind, second.order.id]).toEqual(['placed', first.order.id]);
    expect([await host.countOwn(), (await host.orders()).length]).toEqual([1, 1]);
  });

  test('a conflict with another order of the cart ends busy after three rounds, and one with no order is thrown', async () => {
    await using host = await openOwnHost(shape);
    const { order } = await host.place('a');
    const { insert } = host.requestOf('a');
    let rounds = 0;
    const changed = host.place('a', {
      amount: 20_000,
      insert: (tx, payment) => {
        rounds += 1;
        return insert(tx, payment);
      },
    });

    await expect(changed).rejects.toMatchObject({ name: 'PaymentError', code: 'busy', orderId: order.id });
    await expect(host.place('b', { insert })).rejects.toMatchObject({ code: expect.stringMatching(/UNIQUE|23505/) });
    expect(rounds).toBe(3);
    expect([await host.countOwn(), await statesOf(host)]).toEqual([1, [['created', null]]]);
  });

  test('a changed cart replaces its order once, and a later payment of the first page is a second payment', async () => {
    await using host = await openOwnHost(shape);
    const first = await openPage(host, 'a');
    const click = () => host.place('b', { earlier: first.id });
    const clicks = await Promise.all([click(), click(), click(), click(), click()]);
    await host.payments.startHosted(clicks[0].order.id);
    const second = host.control.sessions().at(-1)?.id ?? '';

    for (const [session, id] of [[second, clicks[0].order.id] as const, [first.session, first.id] as const]) {
      host.control.paySession(session);
      await host.payments.verify(id, 'return');
    }

    expect(clicks.map(({ kind }) => kind)).toEqual(clicks.map(() => 'placed'));
    expect((await host.orders()).map(({ supersededBy }) => supersededBy)).toEqual([clicks[1].order.id, null]);
    expect(await endsOf(host)).toEqual([1, 0]);
    expect(await statesOf(host)).toEqual([
      ['review', 'second_payment'],
      ['paid', null],
    ]);
  });

  test('ten clicks at once on two contents of a cart leave one order that is not replaced, and end each other once', async () => {
    await using host = await openOwnHost(shape);
    const { id } = await openPage(host, 'a');
    const clicks = Array.from({ length: 10 }, (_, n) => host.place(n % 3 === 2 ? 'c' : 'b', { earlier: id }));

    const settled = await Promise.allSettled(clicks);

    // Each content has one order, so a late click on the content before finds no other.
    const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(errors.filter((error) => !(error instanceof PaymentError && error.code === 'busy'))).toEqual([]);
    expect(errors.length).toBeLessThan(clicks.length);
    expect((await host.orders()).filter(({ supersededBy }) => supersededBy === null)).toHaveLength(1);
    expect(Math.max(...(await endsOf(host)))).toBe(1);
  });

  test('an order that is not what the customer saw is replaced, although find returns it', async () => {
    await using host = await openOwnHost(shape);
    const first = await host.place('a');
    const { find } = host.requestOf('a');

    const second = await host.place('b', { find, same: () => false });

    expect(second.kind).toBe('placed');
    expect((await host.orders()).map(({ supersededBy }) => supersededBy)).toEqual([second.order.id, null]);
    expect(first.order.id).not.toBe(second.order.id);
  });

  test.each(['a', 'b'])('a card beside the open page of content a needs a warning for content %s', async (key) => {
    await using host = await openOwnHost(shape);
    const { id } = await openPage(host, 'a');
    const request = { earlier: id, flow: 'card', ...(key === 'a' && { same: () => false }) } as const;

    const warned = await host.place(key, request);
    const before = await statesOf(host);
    const { find } = host.requestOf('b');
    const confirmed = await host.place('b', { ...request, find, payAgain: true });

    expect([warned.kind, warned.order.id, before]).toEqual(['confirm_pay_again', id, [['pending', null]]]);
    expect([confirmed.kind, await endsOf(host)]).toEqual(['placed', [1, 0]]);
  });

  test.each([
    ['waits at the bank', 'challenged', 'pending'],
    ['was charged', 'authorized', 'paid'],
  ] as const)(
    'while the card payment of the earlier content %s, a changed cart leads to its order',
    async (_is, card, state) => {
      await using host = await openOwnHost(shape);
      const id = await sendCard(host, 'a', card);

      for (const payAgain of [false, true]) {
        const { kind, order } = await host.place('b', { earlier: id, flow: 'card', payAgain });
        expect([kind, order.id, order.state]).toEqual(['show_order', id, state]);
      }

      expect([await host.countOwn(), host.control.calls('process').length]).toEqual([1, 1]);
    },
  );

  test('a payment on the page of the earlier content is found before a new order is placed', async () => {
    await using host = await openOwnHost(shape);
    const { id, session } = await openPage(host, 'a');
    host.control.paySession(session);

    const { kind, order } = await host.place('b', { earlier: id, flow: 'card', payAgain: true });

    expect([kind, order.id, order.state]).toEqual(['show_order', id, 'paid']);
    expect(await host.orders()).toHaveLength(1);
  });

  test('without an answer about the earlier page no order is placed, and the start is busy', async () => {
    await using host = await openOwnHost(shape);
    const { id } = await openPage(host, 'a');
    host.control.fault('read-session', REFUSED);

    const placing = host.place('b', { earlier: id, payAgain: true });

    await expect(placing).rejects.toBeInstanceOf(PaymentError);
    await expect(placing).rejects.toMatchObject({ code: 'busy', orderId: id });
    host.control.clearFaults();
    expect(await statesOf(host)).toEqual([['pending', null]]);
    expect((await host.place('b', { earlier: id })).kind).toBe('placed');
  });

  test('while the answer of a card payment is lost, a changed cart leads to its order', async () => {
    await using host = await openOwnHost(shape);
    host.control.fault('process', LOST, 1);
    const id = await sendCard(host, 'a', 'authorized');

    const { kind, order } = await host.place('b', { earlier: id, flow: 'card', payAgain: true });

    expect([kind, order.id, order.state]).toEqual(['show_order', id, 'outcome_unknown']);
    expect(host.control.ledger()).toHaveLength(1);
  });

  test('an earlier order that does not exist is ignored, and the newest one stands for a replaced one', async () => {
    await using host = await openOwnHost(shape);
    const first = await host.place('a', { earlier: 'no-such-order' });
    const second = await host.place('b', { earlier: first.order.id });
    const third = await host.place('c', { earlier: first.order.id });

    expect([first.kind, second.kind, third.kind]).toEqual(['placed', 'placed', 'placed']);
    expect(await endsOf(host)).toEqual([1, 1, 0]);
    const { id } = third.order;
    expect((await host.orders()).map(({ supersededBy }) => supersededBy)).toEqual([id, id, null]);
  });

  test('after a late payment of a replaced order, no order is placed beside it', async () => {
    await using host = await openOwnHost(shape);
    const first = await openPage(host, 'a');
    const second = await host.place('b', { earlier: first.id });
    host.control.paySession(first.session);
    await host.payments.verify(first.id, 'return');

    const results = [await host.place('b'), await host.place('c', { earlier: second.order.id })];

    expect(results.map(({ kind, order }) => [kind, order.id])).toEqual(results.map(() => ['show_order', first.id]));
    expect(await host.countOwn()).toBe(2);
  });

  test('an insert that does not store the columns that it gets places no order', async () => {
    await using host = await openOwnHost(shape);
    const { insert } = host.requestOf('a');
    const broken: typeof insert = (tx, payment) => insert(tx, { ...payment, token: 'own' });

    await expect(host.place('a', { insert: broken })).rejects.toThrow(/columns of the payments/);
    expect([await host.countOwn(), await host.orders()]).toEqual([0, []]);
  });
});
