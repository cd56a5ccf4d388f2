import { describe, expect, test } from '@jest/globals';
import type { Call, Fault } from '../../src/simulator/faults.js';
import { findHistory } from '../../src/store/history.js';
import { theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { newRecording } from '../support/recording.js';
import { contact, readOrderPage, Shopper } from '../support/shopper.js';
import { API_KEY, openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

/** Buys something and looks three times what became of it. */
type Purchase = (shop: TestShop, quantity: string) => Promise<void>;

const hosted: Purchase = async (shop, quantity) => {
  const { shopper, session, returnPath, orderPath } = await openHostedPage(shop, quantity);
  shop.simulator.control.paySession(session);
  await shopper.get(`${returnPath}?session_id=${session}`);
  await lookTwice(shop, shopper, orderPath);
};

const byCard =
  (card: string): Purchase =>
  async (shop, quantity) => {
    const shopper = await Shopper.withCart(shop, { quantity });
    const { headers } = await payByCard(shop, shopper, card);
    await lookTwice(shop, shopper, headers['location'] ?? '/');
  };

async function lookTwice(shop: TestShop, shopper: Shopper, path: string): Promise<void> {
  for (const _ of [1, 2]) {
    shop.clock.advance(5_000);
    await shopper.get(path);
  }
}

/** What became of the only order: its state, what its page says, and its history but for times and ids. */
async function outcome(shop: TestShop) {
  const { id, state, token } = await theOrder(shop);
  const history = await findHistory(shop.services.checkout.db.queries, id);
  const page = await new Shopper(shop).get(`/orders/${token}`);
  return {
    state,
    shown: readOrderPage(page.text).state,
    history: history.map(({ kind, detail }) => [kind, told(detail)]),
  };
}

function told(detail: string) {
  const { from, to, trigger, verdict, reason, words, code, status } = JSON.parse(detail);
  return { from, to, trigger, verdict, reason, words, code, status };
}

const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });

interface Trouble {
  readonly call: Call;
  readonly fault: Fault;
  readonly times?: number;
  readonly buy: Purchase;
  readonly state: string;
}

const TROUBLES: readonly (readonly [string, Trouble])[] = [
  [
    'another amount',
    { call: 'read-session', fault: rewrite({ amount_total: 1 }), buy: hosted, state: 'review' },
  ],
  [
    'an unknown word',
    { call: 'read-session', fault: rewrite({ status: 'settled' }), buy: hosted, state: 'review' },
  ],
  [
    'wrong types',
    {
      call: 'read-session',
      fault: rewrite({ status: [true], amount_total: '28900' }),
      buy: hosted,
      state: 'pending',
    },
  ],
  [
    'a page, and then the truth',
    {
      call: 'read-session',
      fault: { kind: 'raw', body: '<h1>Bad gateway</h1>', contentType: 'text/html' },
      times: 3,
      buy: hosted,
      state: 'paid',
    },
  ],
  [
    '500 once',
    { call: 'read-session', fault: { kind: 'status', status: 500 }, times: 1, buy: hosted, state: 'paid' },
  ],
  [
    'a broken connection for a card',
    {
      call: 'process',
      fault: { kind: 'drop', when: 'after' },
      buy: byCard(CARDS.paid),
      state: 'outcome_unknown',
    },
  ],
  [
    'another reference for a card',
    {
      call: 'read-transaction',
      fault: rewrite({ client_reference: 'TG-2222-3333' }),
      buy: byCard(CARDS.paid),
      state: 'review',
    },
  ],
];

async function played(path: string, buy: Purchase) {
  await using shop = await openTestShop({ replay: path });
  await buy(shop, '3');
  return await outcome(shop);
}

describe('an order whose exchanges were recorded comes to the same end when they are played, after', () => {
  test.each(TROUBLES)('%s', async (_what, { call, fault, times, buy, state }) => {
    await using recording = await newRecording();
    const then = await recorded(recording.path, async (shop) => {
      shop.simulator.control.fault(call, fault, times);
      await buy(shop, '1');
    });

    expect(then.state).toBe(state);
    expect(await played(recording.path, buy)).toEqual(then);
  });

  test('a declined card, whatever card is used now', async () => {
    await using recording = await newRecording();
    const then = await recorded(recording.path, (shop) => byCard(CARDS.declined)(shop, '1'));

    expect(then.state).toBe('declined');
    expect(await played(recording.path, byCard(CARDS.paid))).toEqual(then);
  });
});

async function recorded(path: string, live: (shop: TestShop) => Promise<void>) {
  await using shop = await openTestShop({ env: { RECORD_EXCHANGES: path } });
  await live(shop);
  return await outcome(shop);
}

describe('a shop that records', () => {
  test('writes nothing of its shopper and none of its secrets down, also when the service echoes them', async () => {
    await using recording = await newRecording();
    const signing = 'signing-secret-of-this-shop';
    const secrets: string[] = [
      API_KEY,
      WEBHOOK_TOKEN,
      signing,
      contact.email,
      contact.first_name,
      'Ruiz',
      'Nava',
    ];
    {
      await using shop = await openTestShop({
        env: { RECORD_EXCHANGES: recording.path, PAYMENTS_SIGNING_SECRET: signing },
      });
      shop.simulator.control.fault('read-session', {
        kind: 'rewrite',
        set: {
          customer: contact,
          debug: { key: API_KEY, card: CARDS.paid, [contact.email]: 1 },
          status: 'Settled',
        },
      });
      await hosted(shop, '1');
      const shopper = await Shopper.withCart(shop);
      await payByCard(shop, shopper);
      const tokens = shop.simulator.control.tokenizeCard(CARDS.paid);
      await shopper.post('/checkout/card', { ...contact, ...tokens });
      await shop.services.checkout.gateway.accessToken();
      const orders = await shop.services.checkout.db.queries.selectFrom('orders').selectAll().execute();
      const attempts = await shop.services.checkout.db.queries.selectFrom('attempts').selectAll().execute();
      secrets.push(
        ...orders.flatMap(({ token, number }) => [token, number]),
        ...Object.values(tokens),
        CARDS.paid,
      );
      secrets.push(...attempts.flatMap(({ serviceId }) => serviceId ?? []));
      expect(shop.logged.join('')).toContain('exchanges_are_recorded');
    }
    const calls = new Set(recording.lines().map(({ call }) => call));

    expect(calls).toEqual(
      new Set(['create-session', 'read-session', 'process-payment', 'read-transaction', 'access-token']),
    );
    expect(secrets.length).toBeGreaterThan(15);
    expect(secrets.filter((secret) => recording.text().includes(secret))).toEqual([]);
  });

  test('sells on when it cannot write, and says so once', async () => {
    await using shop = await openTestShop({ env: { RECORD_EXCHANGES: '/no/such/folder/exchanges.jsonl' } });

    await hosted(shop, '1');

    expect((await theOrder(shop)).state).toBe('paid');
    expect(shop.logged.filter((line) => line.includes('exchanges_not_recorded'))).toHaveLength(1);
  });
});
