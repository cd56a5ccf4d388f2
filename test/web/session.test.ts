import { describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { addOrderToSession, customerSession, keepCart } from '../../src/web/session.js';
import { orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

/** An application whose two routes do with the session what a cart and a checkout do; `counted` counts its statements. */
function openApp({ db }: TestDatabase) {
  const counted = { statements: 0 };
  const counting = {
    get queries() {
      counted.statements += 1;
      return db.queries;
    },
  };
  const settings = { publicUrl: 'http://localhost', sessionSecret: 'x'.repeat(32) };
  const app = express();
  app.use(customerSession(settings, { db: counting, clock: { now: () => Date.now() } }));
  app.post('/cart', async (req, res) => {
    await keepCart(req, 'a-cart');
    res.end();
  });
  app.post('/checkout', async (req, res) => {
    await addOrderToSession(req, orderRow({}));
    res.end();
  });
  app.post('/later', async (req, res) => {
    await keepCart(req, 'a-cart');
    req.session.orders = ['changed-after-it-was-saved'];
    res.end();
  });
  return { app, counted };
}

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String((answer.headers['set-cookie'] as readonly string[])[0]).split(';')[0] ?? '';

describe('a session', () => {
  test('is written once in a request, for its first cart and for its new id', async () => {
    await using place = await openTestDatabase();
    const { app, counted } = openApp(place);

    const first = await supertest(app).post('/cart');
    const afterCart = counted.statements;
    await supertest(app).post('/checkout').set('Cookie', cookieOf(first));

    expect(afterCart).toBe(1);
    // The second request reads it, too.
    expect(counted.statements).toBe(3);
  });

  test('that changes after it was saved is saved again', async () => {
    await using place = await openTestDatabase();
    const { app } = openApp(place);

    await supertest(app).post('/later');

    const [row] = await place.db.queries.selectFrom('sessions').select('data').execute();
    expect(JSON.parse(row?.data ?? '')).toMatchObject({
      cartId: 'a-cart',
      orders: ['changed-after-it-was-saved'],
    });
  });
});
