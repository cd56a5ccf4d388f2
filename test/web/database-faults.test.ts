import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { isDatabaseFault } from '../../src/store/database-fault.js';
import { allOrders } from '../support/inspect.js';
import { contact, Shopper } from '../support/shopper.js';
import { openTestShop } from '../support/test-shop.js';

/** Longer than a caller that died in the middle stands in anyone's way. */
const CLAIM_MS = 15_000;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const embedded = process.env['TEST_DATABASE_URL'] ? test.skip : test;

describe('a checkout while the database', () => {
  embedded('is full is answered 503, keeps the cart, and works once there is room', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.services.checkout.db;
    const shoppers = await Promise.all(numbers(30).map(() => Shopper.withCart(shop)));
    await sql.raw('pragma max_page_count = 1').execute(queries);

    const answers = await Promise.all(shoppers.map((shopper) => shopper.payHosted()));
    const catalogue = await shoppers[0]?.get('/');
    await sql.raw('pragma max_page_count = 1000000').execute(queries);
    shop.clock.advance(CLAIM_MS);
    const again = await Promise.all(shoppers.map((shopper) => shopper.payHosted()));

    const refused = answers.filter(({ status }) => status !== 302);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, text } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(text).toMatch(/No pudimos (guardar|abrir)/);
    }
    expect(catalogue?.status).toBe(200);
    expect(again.map(({ status }) => status)).toEqual(shoppers.map(() => 302));
    expect(await allOrders(shop)).toHaveLength(shoppers.length);
  });

  embedded(
    'is held by another program is answered 503 within seconds, and the process lives on',
    async () => {
      await using shop = await openTestShop();
      const shopper = await Shopper.withCart(shop);
      const other = new LibSql(`${shop.directory}/shop.db`);
      other.exec('begin immediate');

      const answers = await Promise.all([shopper.payHosted(), shopper.get('/healthz'), shopper.get('/')]);
      const added = await shopper.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
      other.exec('rollback');
      other.close();
      const again = await shopper.post('/checkout/hosted', contact);

      expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
      expect([added.status, again.status]).toEqual([503, 302]);
      expect(shop.simulator.control.calls('create-session')).toHaveLength(1);
    },
  );
});

describe('a fault is the database’s own', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code });

  test.each([
    'SQLITE_BUSY',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    '08006',
    '53300',
    '57P01',
    '40001',
    '55P03',
    'ECONNREFUSED',
  ])('with %s', (code) => {
    expect(isDatabaseFault(coded(code))).toBe(true);
  });

  test('when its driver lost the connection', () => {
    expect(isDatabaseFault(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDatabaseFault(new Error('timeout exceeded when trying to connect'))).toBe(true);
  });

  test.each(['SQLITE_CONSTRAINT_UNIQUE', '23505', '42P01', 'ERR_INVALID_ARG_TYPE', ''])(
    'and not with %s',
    (code) => {
      expect(isDatabaseFault(coded(code))).toBe(false);
      expect(isDatabaseFault(code)).toBe(false);
      expect(isDatabaseFault(null)).toBe(false);
    },
  );
});
