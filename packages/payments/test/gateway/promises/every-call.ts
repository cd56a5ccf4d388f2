/** What all calls promise. */
import { expect } from '@jest/globals';
import { within } from '../../../../../test/support/crowd.js';
import { openServer } from '../../../../../test/support/http.js';
import { API_KEY } from '../../../../../test/support/test-shop.js';
import { dumpError, errorOf, paymentRequest, SHORT } from '../support.js';
import { type Adapter, ECHO, type FaultyServer, type Flaw } from './faulty-server.js';
import { type AdapterPromise, payBy, refundOf, type Started, startSession, withEach } from './try-adapter.js';

/** Returns the errors of all calls. Throws if a call succeeds. */
async function errorsOfAll(adapter: Adapter, server: FaultyServer, payment: Started): Promise<readonly Error[]> {
  const [processed, refunded, ...errors] = await Promise.all([
    adapter.processPayment(paymentRequest({ tokens: server.cardTokens('paid') })),
    adapter.refundPayment(refundOf(payment)),
    errorOf(startSession(adapter)),
    errorOf(adapter.accessToken()),
    errorOf(adapter.readRefund('refund-1', refundOf(payment))),
    ...adapter.flows.map((flow) => errorOf(adapter.lookUp(flow, payment.id))),
  ]);
  if (!('error' in processed)) throw new Error(`the payment is ${processed.kind}`);
  expect(['refused', 'unknown']).toContain(refunded.state);
  return [processed.error, ...errors];
}

const SHAPE_FLAWS: readonly Flaw[] = ['broken', 'refused', 'unreadable'];
const BASIC = Buffer.from(`${API_KEY}:`).toString('base64');

export const EVERY_CALL: readonly AdapterPromise[] = [
  {
    name: 'Each call: is authenticated',
    async check(tried) {
      const payment = await payBy('card', tried);
      using adapter = tried.openAdapter({ apiKey: 'another key' });
      const errors = await errorsOfAll(adapter, tried.server, payment);
      expect(new Set(errors.map((error) => 'code' in error && error.code))).toEqual(new Set(['unauthorized']));
    },
  },
  {
    name: 'Each call: fails with a `GatewayError` that has no key, header or body',
    async check(tried) {
      const payment = await payBy('card', tried);
      await withEach(tried, SHAPE_FLAWS, async ({ adapter, server }) => {
        const errors = await errorsOfAll(adapter, server, payment);
        const dump = errors.map(dumpError).join('\n');
        expect([API_KEY, BASIC, ECHO].filter((secret) => dump.includes(secret))).toEqual([]);
      });
    },
  },
  {
    name: 'Each call: ends before its deadline',
    async check(tried) {
      const payment = await payBy('card', tried);
      using adapter = tried.openAdapter({ deadlines: SHORT });
      tried.server.answerWith('silent');
      await within(20 * SHORT['read-session'], errorsOfAll(adapter, tried.server, payment));
    },
  },
  {
    name: 'Each call: limits the size of an answer',
    async check(tried) {
      const payment = await payBy('card', tried);
      tried.server.answerWith('oversized');
      const errors = await errorsOfAll(tried.adapter, tried.server, payment);
      expect(new Set(errors.map((error) => 'reason' in error && error.reason))).toEqual(new Set(['too_large']));
    },
  },
  {
    name: 'Each call: follows no redirect to another origin',
    async check(tried) {
      const payment = await payBy('card', tried);
      let followed = 0;
      await using other = await openServer((_req, res) => {
        followed += 1;
        res.end('{}');
      });
      tried.server.answerWith({ redirectTo: `${other.url}/followed` });
      await errorsOfAll(tried.adapter, tried.server, payment);
      expect(followed).toBe(0);
    },
  },
];
