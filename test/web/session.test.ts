import { describe, expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { keepCart, ownOrder, shopperSession } from '../../src/web/session.js';
import { orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

/** An application whose two routes do with the session what a cart and a checkout do; `written` counts as it is kept. */
function openApp({ db }: TestDatabase) {
  const written = { statements: 0, transactions: 0 };
  const counted = {
    get queries() {
      written.statements += 1;
      return db.queries;
    },
    transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) => {
      written.transactions += 1;
      return db.transaction(work);
    },
  };
  const settings = { publicUrl: 'http://localhost', sessionSecret: 'x'.repeat(32) };
  const app = express();
  app.use(shopperSession(settings, { db: counted, clock: { now: () => Date.now() } }));
  app.post('/cart', async (req, res) => {
    await keepCart(req, 'a-cart');
    res.end();
  });
  app.post('/checkout', async (req, res) => {
    await ownOrder(req, orderRow({}));
    res.end();
  });
  app.post('/later', async (req, res) => {
    await keepCart(req, 'a-cart');
    req.session.orders = ['changed-after-it-was-saved'];
    res.end();
  });
  return { app, written };
}

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String((answer.headers['set-cookie'] as readonly string[])[0]).split(';')[0] ?? '';

describe('a session', () => {
  test('is written once in a request, for its first cart and for its new id', async () => {
    await using place = await openTestDatabase();
    const { app, written } = openApp(place);

    const first = await supertest(app).post('/cart');
    const afterCart = { ...written };
    await supertest(app).post('/checkout').set('Cookie', cookieOf(first));

    expect(afterCart).toEqual({ statements: 1, transactions: 0 });
    // The second request reads it, too.
    expect(written).toEqual({ statements: 2, transactions: 1 });
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
