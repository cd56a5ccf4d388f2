import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './app.js';
import { startWorker } from './checkout/run-worker.js';
import type { Config, Secrets } from './config.js';
import { sell } from './core/catalogue.js';
import { faultName } from './core/fault-name.js';
import { loadGoods } from './goods.js';
import { type Ambience, openServices, type Services } from './services.js';
import { shedLoad } from './web/shed-load.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const MAX_HEADERS = 100;
/** The first visitor has come before, or nobody waits. */
const WARM_UP_MS = 1_000;
/** Longer than the longest call to the service, so that a card payment under way is written down. */
const CLOSE_MS = 28_000;

/** A shop that listens. */
export interface Shop {
  readonly url: string;
  readonly services: Services;
  /** Says that it is not ready, and after a while takes no more requests; finishes those in flight, closes the database. */
  close(): Promise<void>;
}

/** Opens the services and listens; rejects when the address is taken, or the database or the goods cannot be had. */
export async function openShop(config: Config, secrets: Secrets, ambience: Ambience): Promise<Shop> {
  const services = await openServices(config, secrets, ambience);
  let closing = false;
  const { serve, classes } = createApp(services.web, () => closing);
  const server = createServer(
    {
      ...classes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    shedLoad(serve, () => services.checkout.observer.requestShed()),
  );
  server.maxHeadersCount = MAX_HEADERS;
  try {
    sell(await loadGoods({ ...config, queries: services.checkout.db.queries }));
    await listen(server, config);
  } catch (error) {
    await services[Symbol.asyncDispose]();
    throw error;
  }
  const worker = startWorker(services.checkout);
  const warmUp = setTimeout(() => {
    // What cannot be loaded is told again by whoever needs it.
    services.warmUp().catch((error: unknown) => ambience.log.error('warm_up', { reason: faultName(error) }));
  }, WARM_UP_MS);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host === '0.0.0.0' || config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`,
    services,
    async close() {
      closing = true;
      await delay(config.lameDuckMs);
      await closeServer(server);
      clearTimeout(warmUp);
      await worker[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const last = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(last);
}
