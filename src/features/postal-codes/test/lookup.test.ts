import { expect, test } from '@jest/globals';
import { customerAt } from '../../../../test/support/addresses.js';
import { inParallel, numbers } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importSample } from './support.js';

const shop = await openFileShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
await importSample(shop.checkout.db);

test('a postal code has state, municipalities and neighborhoods, in an answer that any cache may store', async () => {
  const customer = await Customer.withCart(shop);

  const answer = await customer.get('/postal-codes/45640');

  expect(answer.body).toEqual({
    state: 'JAL',
    municipalities: ['San Pedro Tlaquepaque', 'Tlajomulco de Zúñiga'],
    neighborhoods: ['El Palomar', 'Los Gavilanes'],
  });
  expect(answer.headers).toMatchObject({ 'cache-control': 'public, max-age=300' });
  for (const name of ['set-cookie', 'vary', 'access-control-allow-origin'])
    expect(answer.headers).not.toHaveProperty(name);
});

test('a code that the file does not have has empty lists, and what is no postal code is not found', async () => {
  const customer = new Customer(shop);

  const unknown = await customer.get('/postal-codes/68000');
  const withoutState = await customer.get('/postal-codes/19000');
  const others = await Promise.all(
    ['4410', '441000', '44l00', '%20'].map((code) => customer.get(`/postal-codes/${code}`)),
  );

  expect([unknown.status, unknown.body]).toEqual([200, { state: 'OAX', municipalities: [], neighborhoods: [] }]);
  expect(withoutState.body).toEqual({ municipalities: [], neighborhoods: [] });
  expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('lookups from one address are refused after 240 in 10 min, and others stay open', async () => {
  const client = customerAt('203.0.113.66', shop);

  const answers = await inParallel(numbers(241), 8, () => client.get('/postal-codes/44100'));
  const other = await customerAt('203.0.113.67', shop).get('/postal-codes/44100');

  const refused = answers.filter(({ status }) => status === 429);
  expect([refused.length, Number(refused[0]?.headers['retry-after']) > 0, other.status]).toEqual([1, true, 200]);
});
