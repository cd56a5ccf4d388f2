import { expect, test } from '@jest/globals';
import type { ShippingKind } from '../../../shop/rules/frozen-shipping.js';
import { FULFILLMENT_STATES } from '../../../shop/rules/fulfillment.js';
import { nextStates } from '../next-states.js';
import { CARRIERS, readTrackingNumber, shipmentOf, trackingLink } from '../shipment.js';
import { SHIPMENT_FIELDS } from '../shipment-form.js';

const CHANGES: Readonly<Record<ShippingKind, readonly string[]>> = {
  delivery: [
    'preparing → shipped',
    'preparing → picked_up',
    'shipped → preparing',
    'shipped → shipped',
    'shipped → delivered',
    'shipped → returned',
    'delivered → shipped',
    'delivered → returned',
    'returned → preparing',
    'returned → shipped',
    'picked_up → preparing',
  ],
  pickup: [
    'preparing → ready',
    'preparing → picked_up',
    'ready → preparing',
    'ready → picked_up',
    'picked_up → preparing',
    'picked_up → ready',
  ],
  none: ['preparing → delivered', 'delivered → preparing'],
};

test.each(Object.entries(CHANGES))('the changes of a fulfillment with %s are these', (kind, expected) => {
  const allowed = FULFILLMENT_STATES.flatMap((from) =>
    FULFILLMENT_STATES.filter((to) => nextStates(from, kind as ShippingKind).includes(to)).map(
      (to) => `${from} → ${to}`,
    ),
  );

  expect(allowed).toEqual(expected);
});

const read = (typed: string, carrier = 'dhl') => readTrackingNumber(typed, carrier);

test.each([
  ...[' MEX01-WE-0094285 ', '8055 2415\u00a02846', 'A'.repeat(40)],
  // 22 digits with a valid check digit, and 15 digits that no card brand uses.
  ...['8055241528464720099314', '012345678901237'],
])('the tracking number %j is accepted without its spaces', (typed) => {
  expect(read(typed)).toEqual({ value: typed.replace(/\s/g, '') });
});

test.each([
  ['required', ['', '  ']],
  ['tooLong', ['1'.repeat(41)]],
  [
    'invalid',
    ['12345\u000067890', '12345\r\n67890', '<b>123</b>', 'javascript:alert(1)', '../../x', '１２３４５', '-'],
  ],
  ['cardData', ['4111 1111 1111 1111', '3782-822463-10005']],
])('tracking numbers with the problem %s are refused', (problem, numbers) => {
  expect(numbers.map((typed) => read(typed))).toEqual(numbers.map(() => ({ problem })));
});

test('a shipment needs a listed carrier, and a tracking number unless the carrier is another one', () => {
  const carrierOf = (typed: string) => SHIPMENT_FIELDS.carrier.parse(typed, { texts: {}, now: 0 });

  expect(read('', 'other')).toEqual({ value: '' });
  expect(['dhl', '', 'toString'].map(carrierOf)).toEqual(['dhl', undefined, undefined]);
});

test('a tracking link is an HTTPS address of the carrier, and needs a valid tracking number', () => {
  for (const carrier of CARRIERS) {
    const link = trackingLink({ carrier, trackingNumber: 'AB-1234567' });
    expect(link?.startsWith('https://') ?? false).toBe(carrier !== 'other');
    for (const trackingNumber of ['', 'javascript:alert(1)', '../x', 'a?b#c'])
      expect(trackingLink({ carrier, trackingNumber })).toBeUndefined();
  }
});

test('a stored carrier that is not listed any more is shown as another one', () => {
  const stored = ['dhl', 'gone', null].map((carrier) => shipmentOf({ carrier, trackingNumber: '1' })?.carrier);

  expect(stored).toEqual(['dhl', 'other', undefined]);
});
