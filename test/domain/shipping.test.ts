import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { STATE_CODES } from '../../src/shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import { freeFromOf, shippingOptions } from '../../src/shop/rules/shipping.js';
import {
  findTableProblems,
  priceOf,
  type ShippingTable,
  type ZoneDelivery,
  zoneOf,
} from '../../src/shop/rules/shipping-table.js';

const shipped = { product: { requiresShipping: true }, quantity: 1 };
const download = { product: { requiresShipping: false }, quantity: 1 };
const FREE = { price: 0, greatest: 0 };

const byWeight: ZoneDelivery = {
  by: 'weight',
  steps: [
    { upTo: 1_000, price: centavos(80_00) },
    { upTo: 5_000, price: centavos(150_00) },
    { upTo: null, price: centavos(300_00) },
  ],
  freeFrom: null,
  days: { min: 1, max: 2 },
};
const byTotal: ZoneDelivery = {
  by: 'total',
  steps: [
    { upTo: 500_00, price: centavos(200_00) },
    { upTo: null, price: centavos(90_00) },
  ],
  freeFrom: centavos(2_000_00),
  days: { min: 4, max: 9 },
};
const islands = ['BCS', 'ROO'] as const;
const table: ShippingTable = {
  defaultWeight: 1_000,
  pickup: false,
  zones: [
    { name: 'Ciudad', states: ['CMX'], postalCodes: ['55', '550'], delivery: byWeight },
    { name: 'Sierra', states: [], postalCodes: ['5501'], delivery: null },
    { name: 'Islas', states: islands, postalCodes: [], delivery: null },
    {
      name: 'Resto',
      states: STATE_CODES.filter((state) => state !== 'CMX' && !islands.some((each) => each === state)),
      postalCodes: [],
      delivery: byTotal,
    },
  ],
};

test.each([[[download], 28_900] as const, [[], 0] as const])(
  'a cart of %j has nothing to ship, at no price and without an address',
  (lines, goods) => {
    expect(shippingOptions(DEFAULT_TABLE, lines, centavos(goods))).toEqual([{ id: 'none', kind: 'none', ...FREE }]);
  },
);

test('a postal code goes before the state, and more of its digits before fewer', () => {
  const nameOf = (state: (typeof STATE_CODES)[number] | undefined, postalCode?: string) =>
    zoneOf(table, { state, postalCode })?.name;

  expect([nameOf('CMX'), nameOf('MEX'), nameOf('ROO', '77500')]).toEqual(['Ciudad', 'Resto', 'Islas']);
  expect(['55000', '55010', '55100', '56000'].map((code) => nameOf('MEX', code))).toEqual([
    'Ciudad',
    'Sierra',
    'Ciudad',
    'Resto',
  ]);
  expect([nameOf(undefined), nameOf(undefined, '55000')]).toEqual([undefined, 'Ciudad']);
});

test('a table with all codes of two to five digits is compared in the time that one reading needs', () => {
  const digits = [2, 3, 4, 5].flatMap((length) =>
    Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0')),
  );
  const large = { ...table, zones: table.zones.map((zone, place) => ({ ...zone, postalCodes: place ? [] : digits })) };
  const found = digits.map((code) => zoneOf(large, { postalCode: code })?.name);

  expect(new Set(found)).toEqual(new Set(['Ciudad']));
  expect(findTableProblems(large)).toEqual(findTableProblems({ ...large, zones: table.zones.map(withoutCodes) }));
});

const withoutCodes = (zone: ShippingTable['zones'][number]) => ({ ...zone, postalCodes: [] });

test.each([
  [byWeight, { weight: 1_000, total: 1 }, 80_00],
  [byWeight, { weight: 1_001, total: 1 }, 150_00],
  [byWeight, { weight: 99_000, total: 5_000_00 }, 300_00],
  [byTotal, { weight: 1, total: 500_00 }, 200_00],
  [byTotal, { weight: 1, total: 500_01 }, 90_00],
  [byTotal, { weight: 1, total: 2_000_00 }, 0],
])('%j costs for %j %i centavos', (delivery, { weight, total }, price) => {
  expect(priceOf(delivery, { weight, total: centavos(total) })).toBe(price);
});

test('a parcel has the weight of all its pieces, and a piece without a weight that of the table', () => {
  const priceFor = (weight: number | null, quantity: number) =>
    shippingOptions(table, [download, { product: { requiresShipping: true, weight }, quantity }], centavos(100), {
      state: 'CMX',
    })[0]?.price;

  expect([priceFor(500, 2), priceFor(501, 2), priceFor(null, 1), priceFor(null, 2)]).toEqual([
    80_00, 150_00, 80_00, 150_00,
  ]);
});

test('before the address is known an option has the prices and days of all zones, and an address without delivery has none', () => {
  expect(shippingOptions(table, [shipped], centavos(100_00))).toEqual([
    { id: 'standard', kind: 'delivery', price: 80_00, greatest: 200_00, days: { min: 1, max: 9 } },
  ]);
  expect(shippingOptions(table, [shipped], centavos(100_00), { state: 'BCS' })).toEqual([]);
});

test('a last zone without states has no price, and no total from which the delivery is free', () => {
  const [city, , , rest] = table.zones;
  if (!city || !rest) throw new Error('the table has no zones');
  const full = {
    ...table,
    zones: [
      { ...city, states: STATE_CODES },
      { ...rest, states: [] },
    ],
  };

  expect(shippingOptions(full, [shipped], centavos(100_00))).toMatchObject([{ price: 80_00, greatest: 80_00 }]);
  expect(
    freeFromOf({
      ...full,
      zones: [
        { ...rest, states: STATE_CODES },
        { ...city, states: [], postalCodes: [] },
      ],
    }),
  ).toBe(2_000_00);
});

test('a table is not valid unless each state is in one zone and each delivery has a price for every parcel', () => {
  const [city, sierra, ...others] = table.zones;
  if (!city || !sierra) throw new Error('the table has no zones');
  const problemsOf = (zones: ShippingTable['zones'], pickup = false) => findTableProblems({ ...table, zones, pickup });
  const withDelivery = (delivery: Partial<ZoneDelivery>) =>
    problemsOf([{ ...city, delivery: { ...byWeight, ...delivery } }, sierra, ...others]);

  expect(problemsOf(table.zones)).toEqual([]);
  expect(findTableProblems(DEFAULT_TABLE)).toEqual([]);
  expect(problemsOf([sierra, ...others])).toEqual([{ problem: 'state_missing', state: 'CMX' }]);
  expect(problemsOf([])).toHaveLength(STATE_CODES.length + 1);
  expect(problemsOf([{ ...city, states: ['CMX', 'OAX'], postalCodes: ['5501'] }, sierra, ...others])).toEqual([
    { problem: 'state_twice', state: 'OAX' },
    { problem: 'digits_twice', digits: '5501' },
  ]);
  const empty = { ...sierra, postalCodes: [] };
  expect(problemsOf([city, empty, ...others])).toEqual([{ problem: 'zone_empty', place: 1 }]);
  expect(problemsOf([...table.zones, empty])).toEqual([]);
  const everywhere = { ...city, states: STATE_CODES, delivery: null };
  expect(problemsOf([everywhere, { ...empty, delivery: byTotal }])).toEqual([{ problem: 'nothing_offered' }]);
  expect(withDelivery({ steps: [] })).toEqual([{ problem: 'steps_missing', place: 0 }]);
  expect(withDelivery({ steps: byWeight.steps.slice(0, 2) })).toEqual([{ problem: 'steps_missing', place: 0 }]);
  expect(withDelivery({ steps: byWeight.steps.toReversed() })).toEqual([
    { problem: 'steps_missing', place: 0 },
    { problem: 'steps_order', place: 0 },
  ]);
  expect(withDelivery({ days: { min: 3, max: 2 } })).toEqual([{ problem: 'days_order', place: 0 }]);
  const closed = [{ ...city, states: STATE_CODES, delivery: null }];
  expect(problemsOf(closed)).toEqual([{ problem: 'nothing_offered' }]);
  expect(problemsOf(closed, true)).toEqual([]);
});
