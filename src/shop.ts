import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './app.js';
import { startWorker } from './checkout/run-worker.js';
import type { Config, Secrets } from './config.js';
import { sell } from './domain/catalogue.js';
import { faultName } from './domain/fault-name.js';
import { loadGoods } from './goods.js';
import { type Ambience, openServices, type Services } from './services.js';
import { createHttpServer } from './web/http-server.js';

/** Warm-up starts 1 s after the shop listens, so that it does not delay the first requests. */
const WARM_UP_MS = 1_000;
/** Longer than the longest call to the gateway (24.5 s), so that the result of a running card payment is stored. */
const CLOSE_MS = 28_000;

/** A running shop. */
export interface Shop {
  readonly url: string;
  readonly services: Services;
  /** Fails the readiness probe, waits `lameDuckMs`, stops accepting requests, finishes those in flight, closes the database. */
  close(): Promise<void>;
}

/** Opens the services and listens. Rejects when the port is in use, or when the database or the products cannot be loaded. */
export async function openShop(config: Config, secrets: Secrets, ambience: Ambience): Promise<Shop> {
  const services = await openServices(config, secrets, ambience);
  const server = createHttpServer(createApp(services.web), {
    onDrop: () => services.checkout.observer.requestShed(),
  });
  try {
    sell(await loadGoods({ ...config, queries: services.checkout.db.queries }));
    await listen(server, config);
  } catch (error) {
    await services[Symbol.asyncDispose]();
    throw error;
  }
  const worker = startWorker(services.checkout);
  const warmUp = setTimeout(() => {
    // A failed import is not fatal here: the code that needs it imports it again.
    services.warmUp().catch((error: unknown) => ambience.log.error('warm_up', { reason: faultName(error) }));
  }, WARM_UP_MS);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host === '0.0.0.0' || config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`,
    services,
    async close() {
      services.shutdown.abort();
      await delay(config.lameDuckMs);
      clearTimeout(warmUp);
      await Promise.all([closeServer(server), worker[Symbol.asyncDispose]()]);
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
