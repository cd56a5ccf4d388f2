/** Tells a browser of every change on the wire as it happens, and of what it missed when it comes back. */
import type { Request, Response } from 'express';
import type { ExchangeRow } from './exchange-row.js';
import type { Exchange, Exchanges } from './exchanges.js';

export interface Audience {
  readonly exchanges: Exchanges;
  readonly rowOf: (exchange: Exchange) => ExchangeRow;
  readonly closing: AbortSignal;
}

interface Place {
  readonly epoch: string;
  readonly revision: number;
}

/** Changes of one moment are told together, so that a thousand calls a second stay cheap. */
const gatherMs = 50;
const heartbeatMs = 15_000;
const reconnectMs = 1_000;

/** Where a reader stands, as it is told to them. */
export function placeOf({ epoch, revision }: Place): string {
  return `${epoch}-${revision}`;
}

/** Keeps nothing for a slow reader but its place: it is told what there is when it has read what it was told. */
export function streamEvents(audience: Audience, req: Request, res: Response): void {
  const { exchanges, closing } = audience;
  res.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  res.write(`retry: ${reconnectMs}\n\n`);
  let place = startOf(req, exchanges);
  let gathering: NodeJS.Timeout | undefined;
  const tell = () => {
    gathering = undefined;
    if (!res.writableNeedDrain) place = tellChanges(audience, res, place);
  };
  const soon = () => {
    gathering ??= setTimeout(tell, gatherMs);
  };
  const unwatch = exchanges.watch(soon);
  const heartbeat = setInterval(() => res.write(':\n\n'), heartbeatMs);
  const end = () => res.end();
  res.on('drain', soon);
  closing.addEventListener('abort', end, { once: true });
  res.once('close', () => {
    unwatch();
    clearTimeout(gathering);
    clearInterval(heartbeat);
    closing.removeEventListener('abort', end);
  });
  tell();
}

function tellChanges({ exchanges, rowOf }: Audience, res: Response, told: Place): Place {
  const { epoch } = exchanges;
  let place = told;
  if (place.epoch !== epoch) {
    place = { epoch, revision: 0 };
    res.write(`event: forget\nid: ${placeOf(place)}\ndata: {}\n\n`);
  }
  for (const exchange of exchanges.changedAfter(place.revision)) {
    place = { epoch, revision: exchange.revision };
    res.write(`id: ${placeOf(place)}\ndata: ${JSON.stringify(rowOf(exchange))}\n\n`);
  }
  return place;
}

/** A browser that comes back says where it stood; a page that opens says what it holds already. */
function startOf(req: Request, { epoch }: Exchanges): Place {
  const said = req.get('Last-Event-ID') ?? req.query['since'];
  const [, saidEpoch, revision] = /^([0-9a-f]{8})-([0-9]{1,15})$/.exec(String(said)) ?? [];
  if (saidEpoch === undefined) return { epoch, revision: 0 };
  return { epoch: saidEpoch, revision: Number(revision) };
}
