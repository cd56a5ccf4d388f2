import { centavos } from '@tianguis/payments/rules';
import { STATE_CODES } from '../../src/shop/rules/contact.js';
import type { ShippingTable, ZoneDelivery } from '../../src/shop/rules/shipping-table.js';
import type { Db } from '../../src/tables/database.js';
import { findSettingsVersion } from '../../src/tables/shop-settings.js';

/** Stores settings of the shop as another process would. `null`: the default. While others read, use a transaction. */
export async function storeSettings(queries: Db, values: Readonly<Record<string, unknown>>): Promise<void> {
  const version = (await findSettingsVersion(queries)) + 1;
  const change = { version, kind: 'changed', changedBy: 'admin', changedAt: Date.now() } as const;
  await queries.insertInto('shopSettingsChanges').values(change).execute();
  const rows = Object.entries(values).map(([name, value]) => ({ version, name, value: JSON.stringify(value) }));
  await queries.insertInto('shopSettingsValues').values(rows).execute();
}

/** Stores a shipping table with one price in pesos for all of Mexico. */
export function storeShippingPrice(queries: Db, pesos: number): Promise<void> {
  const zone = { name: 'México', states: STATE_CODES, postalCodes: [], delivery: costing(pesos) };
  return storeSettings(queries, { shipping: { defaultWeight: 1_000, pickup: true, zones: [zone] } });
}

/** A delivery with one price in pesos. */
export const costing = (pesos: number): ZoneDelivery => ({
  by: 'total',
  steps: [{ upTo: null, price: centavos(pesos * 100) }],
  freeFrom: null,
  days: { min: 2, max: 4 },
});

/** Oaxaca costs `pesos`, Yucatán 250, and Quintana Roo is not delivered to. */
export function tableWith(pesos: number): ShippingTable {
  const states = STATE_CODES.filter((state) => state !== 'YUC' && state !== 'ROO');
  return {
    defaultWeight: 1_000,
    pickup: true,
    zones: [
      { name: 'México', states, postalCodes: [], delivery: costing(pesos) },
      { name: 'Yucatán', states: ['YUC'], postalCodes: [], delivery: costing(250) },
      { name: 'Quintana Roo', states: ['ROO'], postalCodes: [], delivery: null },
    ],
  };
}
