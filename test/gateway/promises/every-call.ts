/** What all calls promise. */
import { expect } from '@jest/globals';
import { within } from '../../support/crowd.js';
import { openServer } from '../../support/http.js';
import { API_KEY } from '../../support/test-shop.js';
import { dumpError, errorOf, paymentRequest, SHORT } from '../support.js';
import { type Adapter, ECHO, type FaultyServer, type Flaw } from './faulty-server.js';
import { type AdapterPromise, payByEach, refundOf, type Started, startSession, withEach } from './try-adapter.js';

/** Returns the errors of all calls, each of which must fail. */
function errorsOfAll(adapter: Adapter, server: FaultyServer, payment: Started) {
  const failed = async (call: Promise<object>) => {
    const result = await call;
    return 'error' in result && result.error instanceof Error ? [result.error] : [];
  };
  const errorOfCall = async (call: Promise<unknown>) => [await errorOf(call)];
  return Promise.all([
    ...adapter.flows.map((flow) => errorOfCall(adapter.lookUp(flow, payment.id))),
    errorOfCall(startSession(adapter)),
    errorOfCall(adapter.accessToken()),
    errorOfCall(adapter.readRefund('refund-1', refundOf(payment))),
    failed(adapter.processPayment(paymentRequest({ tokens: server.cardTokens('paid') }))),
    failed(adapter.refundPayment(refundOf(payment))),
  ]).then((errors) => errors.flat());
}

const SHAPE_FLAWS: readonly Flaw[] = ['broken', 'refused', 'unreadable'];
const BASIC = Buffer.from(`${API_KEY}:`).toString('base64');

export const EVERY_CALL: readonly AdapterPromise[] = [
  {
    name: 'Each call: is authenticated',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      using adapter = tried.openAdapter({ apiKey: 'another key' });
      const errors = await errorsOfAll(adapter, tried.server, payment);
      expect(new Set(errors.map((error) => 'code' in error && error.code))).toEqual(new Set(['unauthorized']));
    },
  },
  {
    name: 'Each call: fails with a `GatewayError` that has no key, header or body',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
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
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      using adapter = tried.openAdapter({ deadlines: SHORT });
      tried.server.answerWith('silent');
      await within(5 * SHORT['read-session'], errorsOfAll(adapter, tried.server, payment));
    },
  },
  {
    name: 'Each call: follows no redirect to another origin',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
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
