/** What the start of a checkout session, a card payment and the browser's access token promise. */
import { expect } from '@jest/globals';
import { API_KEY } from '../../../../../test/support/test-shop.js';
import { paymentRequest, sessionRequest } from '../support.js';
import { type AdapterPromise, pay, requestsOf, startSession, UNPROVEN, withEach } from './try-adapter.js';

export const SESSIONS: readonly AdapterPromise[] = [
  {
    name: 'startSession: sends again only what was not processed',
    check: (tried) =>
      withEach(tried, UNPROVEN, async ({ adapter, server }) => {
        expect(await requestsOf(server, 'create-session', () => startSession(adapter))).toBe(1);
      }),
  },
  {
    name: 'startSession: sends the return URL',
    async check({ adapter, server }) {
      await startSession(adapter);
      expect(server.returnUrl()).toBe(sessionRequest().returnUrl);
    },
  },
  {
    name: 'startSession: returns when the offer ends, in milliseconds since 1970',
    async check({ adapter }) {
      const now = Date.now();
      const { offerEndsAt } = (await startSession(adapter)) as { readonly offerEndsAt?: number };
      expect(offerEndsAt).toBeGreaterThan(now);
      expect(offerEndsAt).toBeLessThan(now + 25 * 60 * 60_000);
    },
  },
  {
    name: 'startSession: opens allowed payment pages only',
    async check(tried) {
      expect((await startSession(tried.adapter)).kind).toBe('open');
      await withEach(tried, ['foreign-page', 'unsafe-page'], async ({ adapter }) => {
        expect((await startSession(adapter)).kind).toBe('unusable');
      });
    },
  },
  {
    name: 'startSession: opens no page of another amount',
    async check({ adapter, server }) {
      server.answerWith('other-amount');
      expect((await startSession(adapter)).kind).toBe('unusable');
    },
  },
];

export const CARD_PAYMENTS: readonly AdapterPromise[] = [
  {
    name: 'processPayment: sends once',
    check: (tried) =>
      withEach(tried, [...UNPROVEN, 'refused'], async (each) => {
        expect(await requestsOf(each.server, 'process-payment', () => pay(each))).toBe(1);
      }),
  },
  {
    name: 'processPayment: `refused` proves that no payment was made',
    async check(tried) {
      await withEach(tried, UNPROVEN, async (each) => {
        expect((await pay(each)).kind).toBe('unknown');
      });
      const { payments } = tried.server.moved();
      await withEach(tried, ['refused'], async (each) => {
        expect((await pay(each)).kind).toBe('refused');
      });
      expect(tried.server.moved().payments).toBe(payments);
    },
  },
  {
    name: 'processPayment: sends the return URL',
    async check(tried) {
      await pay(tried);
      expect(tried.server.returnUrl()).toBe(paymentRequest().returnUrl);
    },
  },
  {
    name: 'processPayment: reports a declined card',
    async check(tried) {
      const processed = await pay(tried, 'declined');
      const status =
        processed.kind === 'known'
          ? (await tried.adapter.lookUp('card', processed.payment.gatewayId)).status
          : processed.kind;
      expect([status, tried.server.moved().payments]).toEqual(['declined', 0]);
    },
  },
  {
    name: 'processPayment: accepts no payment of another amount or reference',
    check: (tried) =>
      withEach(tried, ['other-amount', 'other-reference'], async (each, flaw) => {
        if (flaw === 'other-reference' && !each.server.hasReference('card')) return;
        expect((await pay(each)).kind).toBe('unknown');
      }),
  },
  {
    name: 'processPayment: returns only a safe bank page',
    async check(tried) {
      expect(await pay(tried, 'challenged')).toMatchObject({ kind: 'known', bankUrl: expect.any(String) });
      tried.server.answerWith('unsafe-page');
      expect(await pay(tried, 'challenged')).not.toMatchObject({ bankUrl: expect.any(String) });
    },
  },
  {
    name: 'accessToken: returns a token for the browser, never the API key',
    async check({ adapter }) {
      const token = await adapter.accessToken();
      expect([token.length > 0, token.includes(API_KEY)]).toEqual([true, false]);
    },
  },
];
