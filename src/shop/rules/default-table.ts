import { centavos } from '@tianguis/payments/rules';
import { STATE_CODES } from './contact.js';
import type { ShippingTable } from './shipping-table.js';

/** The table until the merchant stores another one in the back office. */
export const DEFAULT_TABLE: ShippingTable = {
  defaultWeight: 1_000,
  pickup: true,
  zones: [
    {
      name: 'México',
      states: STATE_CODES,
      postalCodes: [],
      delivery: {
        by: 'total',
        steps: [{ upTo: null, price: centavos(99_00) }],
        freeFrom: centavos(1_500_00),
        days: { min: 3, max: 10 },
      },
    },
  ],
};
