/** A local stand-in for the payment gateway, for tests, the drill and development. */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { type Control, createControl } from './control.js';
import type { Profile } from './model.js';
import type { WebhookAuth } from './webhooks.js';
import { World } from './world.js';

/** @public */
export type { Control } from './control.js';
/** @public */
export type { Profile } from './model.js';
/** @public */
export type { WebhookAuth } from './webhooks.js';

export interface SimulatorOptions {
  /** 0: a free port. */
  readonly port: number;
  readonly host?: string;
  /** The origin of the addresses in responses; `http://localhost:<port>` by default. */
  readonly publicUrl?: string;
  readonly profile?: Profile;
  readonly apiKey: string;
  /** The folder of ledger and journal; without it they are in memory. */
  readonly dataDir?: string;
  readonly webhook?: { readonly url: string; readonly auth: WebhookAuth };
  readonly webhookRetryDelayMs?: number;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** Resolves when the simulator listens; rejects when the port is taken. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const world = new World({
    apiKey: options.apiKey,
    profile: options.profile ?? 'interface',
    dataDir: options.dataDir,
    webhookUrl: options.webhook?.url,
    webhookAuth: options.webhook?.auth ?? { scheme: 'none' },
    webhookRetryDelayMs: options.webhookRetryDelayMs ?? 60_000,
  });
  // Each delayed or hanging response listens, without a limit on their number.
  setMaxListeners(0, world.closing.signal);
  const control = createControl(world);
  const server = createServer(createApp(world, control));
  await listen(server, options);
  // Bound to a TCP port, so the address is an object.
  const { port } = server.address() as AddressInfo;
  world.url = (options.publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '');
  const close = onlyOnce(() => stop(server, world));
  return { url: world.url, control, close, [Symbol.asyncDispose]: close };
}

async function listen(server: Server, { port, host = '127.0.0.1' }: SimulatorOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

async function stop(server: Server, world: World): Promise<void> {
  world.closing.abort();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Ends the hanging calls of `hang` faults.
  server.closeAllConnections();
  await closed;
  world.close();
}

function onlyOnce(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return async () => {
    running ??= task();
    await running;
  };
}
