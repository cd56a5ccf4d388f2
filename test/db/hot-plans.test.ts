import { describe, expect, test } from '@jest/globals';
import {
  findAttempt,
  findAttemptAndConflict,
  findAttemptsByReference,
  findOrderIdsByGatewayId,
  findWatchedAttempts,
  isGatewayIdTaken,
  leaseDueAttempts,
  makeAttemptsDue,
  markReturned,
} from '../../src/db/attempts.js';
import { countCartPieces, emptyCartOf, findCart } from '../../src/db/carts.js';
import { leaseWebhooks } from '../../src/db/inbox.js';
import {
  findLatestOrderOfCart,
  findOrderByToken,
  isPaidElsewhere,
  lockOrder,
  updateSuccessor,
} from '../../src/db/orders.js';
import { leaseJobs } from '../../src/db/outbox.js';
import { findSession } from '../../src/db/sessions.js';
import { type Look, plansOf, READS_A_TABLE } from '../support/query-plans.js';
import { orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

const turn = { at: 5, leaseUntil: 9, most: 10 };

const LOOKS: readonly (readonly [string, Look])[] = [
  ['a session', (queries) => findSession(queries, 'x', 1)],
  ['a cart', (queries) => findCart(queries, 'x')],
  ['the number in the header', (queries) => countCartPieces(queries, 'x')],
  ['the orders of a cart', (queries) => findLatestOrderOfCart(queries, 'x')],
  ['an order by its link', (queries) => findOrderByToken(queries, 'x')],
  ['an order to be moved', (queries) => lockOrder(queries, 'x').catch(() => undefined)],
  ['whether the same goods are paid', (queries) => isPaidElsewhere(queries, orderRow())],
  ['what an order took the place of', (queries) => updateSuccessor(queries, 'x', 'y')],
  ['an attempt', (queries) => findAttempt(queries, 'x')],
  ['an attempt and whose an id is', (queries) => findAttemptAndConflict(queries, 'x', 'y')],
  ['the attempts to look up', (queries) => findWatchedAttempts(queries, 'x', true)],
  ['the open card payments of a return', (queries) => markReturned(queries, 'x', 1)],
  ['the attempts to make due', (queries) => makeAttemptsDue(queries, 'x', 1)],
  ['whose a gateway id is', (queries) => findOrderIdsByGatewayId(queries, ['x', 'y'])],
  ['whether an id is taken', (queries) => isGatewayIdTaken(queries, 'x')],
  ['whose a reference is', (queries) => findAttemptsByReference(queries, ['x'])],
  ['the attempts that are due', (queries) => leaseDueAttempts(queries, turn)],
  ['the messages that are due', (queries) => leaseWebhooks(queries, turn)],
  ['the effects that are due', (queries) => leaseJobs(queries, { ...turn, types: ['receipt', 'on_paid'] })],
  ['what a paid order takes out of its cart', (queries) => emptyCartOf(queries, { id: 'x', cartId: 'y' }, 1)],
];

describe('while customers wait', () => {
  test.each(LOOKS)('%s is found without reading a table', async (_what, look) => {
    await using place = await openTestDatabase();

    const plans = await plansOf(place.db, look);

    expect(plans.length).toBeGreaterThan(0);
    // What is found among all orders of a state is found by reading most of a table, by whatever index.
    for (const plan of plans)
      expect(plan).not.toMatch(new RegExp(`${READS_A_TABLE.source}|orders_by_state`, 'm'));
  });
});
