import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CLOSE_MS } from '@tianguis/payments/operations';
import { createApp } from './app.js';
import type { Config, Secrets } from './config/config.js';
import { type AppContext, type ContextOptions, createContext } from './context.js';
import { createHttpServer } from './web/http-server.js';

/** Connections of one address that reaches the shop without a proxy. Browsers open at most 6. */
const MAX_PER_ADDRESS = 100;

export interface Shop {
  readonly url: string;
  readonly context: AppContext;
  /** Fails the readiness probe, waits `shutdownDelayMs`, stops accepting requests, finishes those in flight, closes the database. */
  close(): Promise<void>;
}

/** Creates the context and listens. Rejects when the port is in use, or when the database or the products cannot be loaded. */
export async function startShop(config: Config, secrets: Secrets, options: ContextOptions): Promise<Shop> {
  const context = await createContext(config, secrets, options);
  const isDirect = config.trustProxy === 0 && config.rateLimit;
  const server = createHttpServer(createApp(context.web), {
    limits: isDirect ? { maxPerAddress: MAX_PER_ADDRESS } : {},
    onDrop: () => context.checkout.observer.requestShed(),
  });
  try {
    await listen(server, config);
  } catch (error) {
    await context[Symbol.asyncDispose]();
    throw error;
  }
  const worker = context.checkout.payments.startWorker();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host === '0.0.0.0' || config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`,
    context,
    async close() {
      context.shutdown.abort();
      await delay(config.shutdownDelayMs);
      await Promise.all([closeServer(server), worker[Symbol.asyncDispose]()]);
      await context[Symbol.asyncDispose]();
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
