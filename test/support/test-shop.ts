import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type Profile, type Simulator, simulatorSettings, startSimulator } from '@tianguis/gateway-tools';
import { createApp } from '../../src/app.js';
import { parseConfig } from '../../src/config/config.js';
import { type AppContext, createContext } from '../../src/context.js';
import { createLog } from '../../src/log.js';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { type Database, type Db, openDatabase } from '../../src/tables/database.js';
import { ALL_FLOWS } from './flows.js';
import { deleteRecords } from './tables.js';
import { withoutFsync } from './template-database.js';
import { temporaryDatabase } from './temporary-database.js';

/** The password of the user `admin`, and of all users of `addUser`. */
export const PASSWORD = 'una contraseña de administración';

/** A clock that runs and can be advanced. With `start` only `advance` moves it. */
export class TestClock {
  readonly #start: number | undefined;
  #ahead = 0;

  constructor(start?: number) {
    this.#start = start;
  }

  now(): number {
    return (this.#start ?? Date.now()) + this.#ahead;
  }

  advance(ms: number): void {
    this.#ahead += ms;
  }

  reset(): void {
    this.#ahead = 0;
  }
}

/** A complete shop with its own simulator and database on free ports. */
export interface TestShop extends AsyncDisposable {
  readonly url: string;
  readonly context: AppContext;
  /** The services of the checkout, `context.checkout`. */
  readonly checkout: CheckoutContext;
  readonly queries: Db;
  readonly simulator: Simulator;
  /** Reads and controls the simulator, `simulator.control`. */
  readonly control: Simulator['control'];
  readonly clock: TestClock;
  /** Data folder of the shop. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Method and path of all received requests, in order. */
  readonly received: string[];
  readonly logged: string[];
  /** Deletes all records of shop and gateway except catalog and users, and resets clock and logs. */
  reset(): Promise<void>;
  /** Opens services as another process would, with the same database and gateway. */
  openReplica(): Promise<AppContext>;
  /** Opens only a database connection as another process would. The caller closes it. */
  connect(): Promise<Database>;
}

export interface TestShopOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: Profile;
  /**
   * Serves the gateway from another site than the shop, as in production. The browser then applies its
   * cross-site rules.
   */
  readonly foreignGateway?: boolean;
  /** The gateway sends its webhooks to the shop. */
  readonly webhooks?: boolean;
}

export const API_KEY = 'test_key_for_this_shop_only';
export const WEBHOOK_TOKEN = 'webhook-token-of-this-shop-only';

/** Starts a shop. `await using` closes it and everything it opened. */
export async function openTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  const { env = {}, profile, foreignGateway = false, webhooks = false } = options;
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  // Production starts with an empty catalog.
  const template = env['NODE_ENV'] === 'production' ? 'tables' : 'catalog';
  const database = await temporaryDatabase(directory, template);
  // The hash of a generated password costs little. That of `ADMIN_PASSWORD` takes 250 ms per shop and per sign-in.
  await writeFile(join(directory, 'admin-password'), PASSWORD);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Bound to a TCP port, so the address is an object.
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  const startGateway = (on: number) =>
    startSimulator({
      port: on,
      host: foreignGateway ? '127.0.0.1' : 'localhost',
      apiKey: API_KEY,
      ...(webhooks && {
        webhook: { url: `${url}/webhooks/payments`, auth: { scheme: 'bearer', token: WEBHOOK_TOKEN } },
      }),
      profile: profile ?? profileOfThisRun(),
    });
  let simulator = await startGateway(0);
  const clock = new TestClock();
  const logged: string[] = [];
  const environment = {
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    SESSION_SECRET: randomUUID() + randomUUID(),
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
    RATE_LIMIT: 'off',
    ORDER_TTL_MINUTES: '60',
    // The shop itself may offer less.
    LOCALES: LOCALES.join(),
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
    ...env,
  };
  const reading = parseConfig(environment);
  if (!reading.ok) {
    await Promise.all([simulator.close(), new Promise((resolve) => server.close(resolve))]);
    throw new Error(reading.problems.join('\n'));
  }
  const { config, secrets } = reading;
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    logged.push(chunk.toString('utf8'));
    done();
  };
  const log = createLog('info', new Writable({ write }));
  const open = async () => {
    const opened = await createContext(config, secrets, { clock, log, dataDirectory: directory });
    await withoutFsync(opened.checkout.db);
    return 'PAYMENT_FLOWS' in env ? opened : { ...opened, web: { ...opened.web, flows: ALL_FLOWS } };
  };
  const context = await open();
  const received: string[] = [];
  const app = createApp(context.web);
  server.on('request', (req, res) => {
    received.push(`${req.method} ${req.url}`);
    app(req, res);
  });
  const replicas: AppContext[] = [];
  return {
    url,
    context,
    checkout: context.checkout,
    queries: context.checkout.db.queries,
    get simulator() {
      return simulator;
    },
    get control() {
      return simulator.control;
    },
    clock,
    directory,
    environment,
    received,
    logged,
    async reset() {
      await simulator.close();
      simulator = await startGateway(Number(new URL(simulator.url).port));
      await deleteRecords(context.checkout.db, ['products', 'productEvents', 'adminUsers']);
      await rm(join(directory, 'mail'), { recursive: true, force: true });
      // The settings of the shop are read at most once per second.
      clock.advance(-60_000);
      await context.checkout.settings.refresh();
      clock.reset();
      await context.checkout.settings.refresh();
      received.length = 0;
      logged.length = 0;
    },
    async openReplica() {
      const replica = await open();
      replicas.push(replica);
      return replica;
    },
    connect: () => withoutFsync(openDatabase(secrets.databaseUrl, () => {})),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const opened of [context, ...replicas]) await opened[Symbol.asyncDispose]();
      await simulator.close();
      await database[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the response profile of the simulator for this test run. */
export function profileOfThisRun(): Profile {
  return simulatorSettings.shape.profile.default('interface').parse(process.env['SIMULATOR_PROFILE']);
}
