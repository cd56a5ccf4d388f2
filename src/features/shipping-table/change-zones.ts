/** Changes of the zones of a table. The last zone has the states that no other has, so a changed table is complete. Pure. */
import { STATE_CODES } from '../../shop/rules/contact.js';
import type { ShippingTable, ShippingZone } from '../../shop/rules/shipping-table.js';

/** Returns the table with this zone at a place, or `new` before the last. Its states leave their former zones. */
export function withZone(table: ShippingTable, place: number | 'new', zone: ShippingZone): ShippingTable {
  const own = table.zones.slice(0, -1);
  const rest = table.zones.slice(-1);
  if (place === own.length)
    return { ...table, zones: [...own, ...rest.map((each) => ({ ...each, delivery: zone.delivery }))] };
  const others: readonly ShippingZone[] = own.map((each) => ({
    ...each,
    states: each.states.filter((state) => !zone.states.includes(state)),
  }));
  const changed: readonly ShippingZone[] = place === 'new' ? [...others, zone] : others.with(place, zone);
  return { ...table, zones: withRest(changed, rest) };
}

/** Returns the table without a zone. Its states have the prices of the last zone. */
export function withoutZone(table: ShippingTable, place: number): ShippingTable {
  const own = table.zones.slice(0, -1).filter((_zone, index) => index !== place);
  return { ...table, zones: withRest(own, table.zones.slice(-1)) };
}

function withRest(own: readonly ShippingZone[], rest: readonly ShippingZone[]): readonly ShippingZone[] {
  const isFree = (state: (typeof STATE_CODES)[number]) => !own.some(({ states }) => states.includes(state));
  return [...own, ...rest.map((each) => ({ ...each, states: STATE_CODES.filter(isFree) }))];
}
