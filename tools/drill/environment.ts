/** The environment of a scenario: one or two shops over one database, and their own simulator. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { numbers } from '../../test/support/crowd.js';
import { Customer } from '../../test/support/customer.js';
import type { ShopState } from '../../test/support/invariants.js';
import { freePort, Program } from '../../test/support/programs.js';
import { createDatabase, type TemporaryDatabase } from '../../test/support/temporary-database.js';
import { prepareDatabase, readDatabaseState } from './database-state.js';
import { simulatorControl } from './simulator-control.js';

export interface EnvironmentOptions {
  readonly shops: 1 | 2;
  /** URL of a PostgreSQL server. Absent: SQLite. */
  readonly server?: string;
  /** A database of its own instead, which the caller removes. */
  readonly databaseUrl?: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Folder of the built programs. Default: the folder that contains this file. */
  readonly dist?: string;
  /** Port of `PUBLIC_URL`, where a proxy listens. Default: the port of the first shop. */
  readonly publicPort?: number;
}

/** Disposal kills the programs and removes their files and their database. */
export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

const openEnvironments = new Map<string, () => Promise<void>>();

/** Starts all programs and resolves when they are ready. */
export async function openEnvironment(options: EnvironmentOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-drill-'));
  const programs: Program[] = [];
  let database: TemporaryDatabase | undefined;
  const close = async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
    openEnvironments.delete(folder);
  };
  openEnvironments.set(folder, close);
  try {
    if (options.databaseUrl === undefined) {
      database = await createDatabase(options.server, folder);
      await prepareDatabase(database.url);
    }
    const environment = await createPrograms(options, folder, options.databaseUrl ?? database?.url ?? '');
    programs.push(environment.simulator, ...environment.shops);
    await Promise.all(programs.map((program) => program.start()));
    const product = await findProduct(environment.nextUrl());
    return { ...environment, product, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finds the first product of the home page and the total of an order of one piece. Throws if the shop sells nothing. */
async function findProduct(url: string) {
  const customer = new Customer({ url });
  const path = await findOn(customer, '/', /href="(\/products\/[^"]+)"/);
  const id = await findOn(customer, path, /name="product_id" value="([^"]+)"/);
  await customer.add({ product_id: id });
  const { total } = await customer.readCheckout();
  return { id, price: total };
}

async function findOn(customer: Customer, path: string, pattern: RegExp): Promise<string> {
  const { status, text } = await customer.get(path);
  const match = pattern.exec(text)?.[1];
  if (match === undefined) throw new Error(`the shop sells nothing: ${path} answered ${status}`);
  return match;
}

async function createPrograms(options: EnvironmentOptions, folder: string, databaseUrl: string) {
  const { dist = fileURLToPath(new URL('../..', import.meta.url)) } = options;
  const [simulatorPort = 0, ...shopPorts] = await Promise.all(numbers(options.shops + 1).map(freePort));
  const [firstPort = 0] = shopPorts;
  const publicPort = options.publicPort ?? firstPort;
  const webhookToken = randomSecret();
  const settings = {
    ...options.variables,
    ...createSettings(simulatorPort, publicPort),
    DATABASE_URL: databaseUrl,
    WEBHOOK_AUTH: `bearer:${webhookToken}`,
  };
  const simulatorUrl = `http://localhost:${simulatorPort}`;
  const simulator = new Program({
    name: 'simulator',
    folder,
    script: join(dist, '../node_modules/@tianguis/gateway-tools/bin/gateway-simulator.js'),
    env: {
      ...settings,
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${publicPort}/webhooks/payments`,
    },
    ready: { url: `${simulatorUrl}/_control/faults` },
  });
  const shops = shopPorts.map(
    (port, index) =>
      new Program({
        name: `shop-${index + 1}`,
        folder,
        script: join(dist, 'src/main.js'),
        env: { ...settings, PORT: String(port) },
        ready: { url: `http://localhost:${port}/readyz` },
      }),
  ) as [Program, ...Program[]];
  let requests = 0;
  return {
    shops,
    shopPorts,
    simulator,
    simulatorUrl,
    control: simulatorControl(simulatorUrl),
    databaseUrl,
    folder,
    settings,
    /** Secrets of the shops, which must not appear in files, rows or pages. */
    secrets: [settings.PAYMENTS_API_KEY, settings.SESSION_SECRET, settings.ADMIN_PASSWORD, webhookToken],
    leakingPages: new Set<string>(),
    webhookHeaders: { Authorization: `Bearer ${webhookToken}`, 'Content-Type': 'application/json' },
    /** Returns the URLs of the shop processes in round-robin order, like a load balancer. */
    nextUrl() {
      requests += 1;
      return `http://localhost:${shopPorts[requests % shopPorts.length]}`;
    },
  };
}

function createSettings(simulatorPort: number, publicPort: number) {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://localhost:${publicPort}`,
    SESSION_SECRET: randomSecret(),
    // Two names of one host, because the real gateway has two hosts. Each has its own circuit breaker.
    PAYMENTS_BASE_URL: `http://127.0.0.1:${simulatorPort}`,
    CHECKOUT_API_URL: `http://localhost:${simulatorPort}`,
    PAYMENTS_API_KEY: randomSecret(),
    TOKENIZER_URL: `http://localhost:${simulatorPort}/vault/v1/gateway/inboundRoutes/demo/token`,
    RATE_LIMIT: 'off',
    REFUNDS: 'gateway',
    ADMIN_PASSWORD: randomSecret(),
  };
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

export function advancedClock(aheadMs: number): readonly string[] {
  return ['--import', `data:text/javascript,const now=Date.now;Date.now=()=>now()+${aheadMs}`];
}

/** Closes all open environments, after Ctrl-C. */
export async function closeAllEnvironments(): Promise<void> {
  await Promise.allSettled([...openEnvironments.values()].map((close) => close()));
}

/** Removes all remaining folders synchronously at process exit. */
export function removeAllFolders(): void {
  for (const folder of openEnvironments.keys()) rmSync(folder, { recursive: true, force: true });
}

/** Reads the ledger, then the database: a charge after the first read must not count as lost. */
export async function readShopState({ control, databaseUrl }: Environment): Promise<ShopState> {
  const ledger = await control('ledger');
  const returned = await control('refundLedger');
  return { ledger, returned, ...(await readDatabaseState(databaseUrl)) };
}
