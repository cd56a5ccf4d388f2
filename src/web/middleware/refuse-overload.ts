import { monitorEventLoopDelay } from 'node:perf_hooks';
import ejs from 'ejs';
import type { RequestHandler } from 'express';
import { paths } from '../paths.js';
import type { WebContext } from '../web-context.js';

const LIMITS = { delayMs: 500, windowMs: 1_000 } as const;
/** Fewer samples per window mean one long pause, which is not an overload. */
const MIN_SAMPLES = 3;
/** In both languages and without a stylesheet. A refusal must use little processor time. */
const busyPage = (name: string) =>
  `<!doctype html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title></head><body><main><h1>Hay mucha gente en la tienda</h1><p>En este momento no pudimos atenderte. No se hizo ningún cargo con este intento. Espera 5 segundos y vuelve a intentarlo.</p><p lang="en">Many people are in the shop. We could not serve you just now. This attempt charged nothing. Wait 5 seconds and try again.</p></main></body></html>`;

/**
 * Load shedding: answers 503 while the median event loop delay of the last second is above 500 ms.
 * Mounted after probes, returns and webhooks. Order pages pass, because their customer may just have paid.
 */
export function refuseOverload(
  { shutdown, checkout, settings }: Pick<WebContext, 'shutdown' | 'checkout' | 'settings'>,
  { delayMs, windowMs }: { readonly delayMs: number; readonly windowMs: number } = LIMITS,
): RequestHandler {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let isOverloaded = false;
  const timer = setInterval(() => {
    if (delay.count < MIN_SAMPLES) return;
    isOverloaded = delay.percentile(50) > delayMs * 1e6;
    delay.reset();
  }, windowMs).unref();
  shutdown.addEventListener('abort', () => {
    clearInterval(timer);
    delay.disable();
  });
  return (req, res, next) => {
    if (!isOverloaded || req.path.startsWith(`${paths.orders}/`)) return next();
    checkout.observer.requestShed();
    res
      .status(503)
      .set({ 'Retry-After': '5', 'Cache-Control': 'no-store' })
      .type('html')
      .send(busyPage(ejs.escapeXML(settings.current().brand.name)));
  };
}
