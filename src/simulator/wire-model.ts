/** What the wire view shows. */
import { placeOf } from './event-stream.js';
import { type ExchangeRow, exchangeRow, rowBodies, rowPlaces } from './exchange-row.js';
import type { Frame } from './frame.js';
import { shopAddress } from './start-model.js';
import type { World } from './world.js';

export interface WireModel {
  readonly title: string;
  readonly shopUrl: string | undefined;
  readonly rows: readonly ExchangeRow[];
  readonly empty: ExchangeRow;
  readonly places: typeof rowPlaces;
  readonly bodies: typeof rowBodies;
  /** Where the page goes on listening: after what it shows. */
  readonly events: string;
}

export function wireModel(world: World, frame: Frame): WireModel {
  const { exchanges } = world;
  return {
    title: frame.w.wire,
    shopUrl: shopAddress(world),
    rows: exchanges.latest().map((exchange) => exchangeRow(world, exchange, frame)),
    empty: emptyRow,
    places: rowPlaces,
    bodies: rowBodies,
    events: `/wire/events?lang=${frame.lang}&since=${placeOf(exchanges)}`,
  };
}

/** The pattern from which a browser makes the rows that come later. */
const emptyRow: ExchangeRow = {
  id: 0,
  kind: 'call',
  tone: 'open',
  texts: {
    time: '',
    way: '',
    method: '',
    path: '',
    event: '',
    status: '',
    ms: '',
    fault: '',
    headers: '',
    sent: '',
    answer: '',
  },
};
