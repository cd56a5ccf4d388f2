import type { RequestListener } from 'node:http';

/** How long one turn of the event loop may take on visitors, in milliseconds; what then still waits is refused. */
const TURN_MS = 250;
/** The same for a turn in which each of many requests comes one stretch further: who is refused waits no longer. */
const STRETCH_MS = 80;
/** By how much more are let in after a turn that was short enough. */
const GROWTH = 1.25;
/** From here on there is no limit. */
const CROWD = 10_000;
/** Shoppers who come back from paying, and webhooks, are served for so many times longer. */
const VITAL_SHARE = 4;
/** So many are served in each turn, whatever it took: a busy hour, or a process that stood still for another reason. */
const ALWAYS = 128;
const VITAL = /^\/(?:checkout\/return|orders|webhooks)\//;
/** A proxy that took a crowded shop for a dead one would send its crowd to the next. */
const HEALTH = /^\/(?:healthz|readyz)$/;

/** Says who is served while more arrive than the process can carry. Pure but for the clock it is given. */
export class LoadGate {
  readonly #now: () => number;
  #startedAt: number = 0;
  #served: number = 0;
  /** So many may come in during one turn. */
  #most: number = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The event loop has come round: what was waiting has been let in or refused, and since the last turn began it has
   * worked for so many milliseconds.
   */
  turn(workedMs: number): void {
    if (workedMs > STRETCH_MS) this.#most = (this.#served * STRETCH_MS) / workedMs;
    else if (this.#most < CROWD) this.#most = Math.max(this.#most, ALWAYS) * GROWTH;
    else this.#most = Number.POSITIVE_INFINITY;
    this.#served = 0;
  }

  admits(path: string): boolean {
    if (HEALTH.test(path)) return true;
    if (this.#served === 0) this.#startedAt = this.#now();
    const share = VITAL.test(path) ? VITAL_SHARE : 1;
    const fits = this.#served < this.#most * share && this.#now() - this.#startedAt < TURN_MS * share;
    const admitted = this.#served < ALWAYS || fits;
    if (admitted) this.#served += 1;
    return admitted;
  }
}

/** In both languages, for a language is not worth reading now; without a style, for that would be another request. */
const BUSY_PAGE = `<!doctype html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tianguis</title></head><body><main><h1>Hay mucha gente en la tienda</h1><p>En este momento no pudimos atenderte. No se hizo ningún cargo con este intento. Inténtalo en unos segundos.</p><p lang="en">The shop is very full. We could not serve you just now. This attempt charged nothing. Try again in a few seconds.</p></main></body></html>`;
const BUSY_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(BUSY_PAGE)),
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Retry-After': '5',
};

/**
 * Refuses what a crowded process cannot serve in time, before any work is done for it: a quick refusal costs little, and
 * those who are served are served quickly. It sees what waits on open connections, as a proxy's do; new ones wait in the
 * system's own queue.
 */
export function shedLoad(serve: RequestListener, onShed: () => void = () => {}): RequestListener {
  const gate = new LoadGate(() => performance.now());
  let turning = false;
  let worked = 0;
  return (req, res) => {
    if (!turning) {
      turning = true;
      const { active } = performance.eventLoopUtilization();
      gate.turn(active - worked);
      worked = active;
      // Comes after all that is ready to be read now, and before what will be ready in the next turn.
      setImmediate(() => {
        turning = false;
      });
    }
    if (gate.admits(req.url ?? '/')) {
      serve(req, res);
      return;
    }
    onShed();
    res.writeHead(503, BUSY_HEADERS).end(BUSY_PAGE);
  };
}
