/** A stage: one or two shops over one database, with their own simulator in a temporary folder. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numbers } from '../../test/support/crowd.js';
import { freePort } from '../../test/support/programs.js';
import { type Books, createDatabase, readBooks } from './books.js';
import { type CatalogData, findProducts } from './products.js';
import { shopSettings, simulatorSettings } from './stage-settings.js';
import { type Shop, startable } from './startable.js';
import { type Charge, type Strings, stringsOf } from './strings.js';

export interface StageOptions {
  readonly shops: number;
  /** URL of a PostgreSQL server. Absent: SQLite. */
  readonly server?: string;
  /** Environment of every child process. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Stage extends AsyncDisposable {
  readonly shops: readonly [Shop, ...Shop[]];
  /** Returns the URLs of the shop processes in round-robin order, like a load balancer. */
  nextUrl(): string;
  readonly strings: Strings;
  /** The product that every customer buys. */
  readonly goods: CatalogData;
  readonly simulatorUrl: string;
  readonly databaseUrl: string;
  /** Folder of all files that the programs write. */
  readonly folder: string;
  /** Secrets of the shops, which must not appear in files, rows or pages. */
  readonly secrets: readonly string[];
  /** Paths of pages that contained a secret. */
  readonly leakingPages: Set<string>;
  /** Valid webhook credentials. */
  readonly webhookHeaders: { readonly Authorization: string; readonly 'Content-Type': string };
  killSimulator(): Promise<void>;
  startSimulator(): Promise<void>;
  look(): Promise<{ readonly ledger: readonly Charge[]; readonly books: Books }>;
}

/** Close functions and folders of all open stages. */
const closings = new Set<() => Promise<void>>();
const folders = new Set<string>();

/** Starts all programs of a stage. Resolves when all of them answer their health check. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-drill-'));
  folders.add(folder);
  const database = await createDatabase(options.server, folder);
  const databaseUrl = database.url;
  const parts = await castOf(options, { folder, databaseUrl });
  const programs = [parts.simulator, ...parts.shops];
  const close = async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
    closings.delete(close);
  };
  closings.add(close);
  try {
    await Promise.all(programs.map((program) => program.start()));
    return await buildStage({ ...parts, databaseUrl, folder, close });
  } catch (error) {
    const said = programs.map((program) => program.log().slice(-400)).join('\n');
    await close();
    throw new Error(`the shop did not start: ${said}`, { cause: error });
  }
}

type Cast = Pick<Parts, 'simulator' | 'shops' | 'webhookToken' | 'secrets'>;

/** Creates the programs of a stage with ports, keys and settings. Does not start them. */
async function castOf(
  { shops, environment }: StageOptions,
  { folder, databaseUrl }: { readonly folder: string; readonly databaseUrl: string },
): Promise<Cast> {
  const [simulatorPort = 0, ...ports] = await Promise.all(numbers(shops + 1).map(freePort));
  const [publicPort = 0] = ports;
  const webhookToken = randomBytes(16).toString('hex');
  const common = {
    ...environment,
    NODE_ENV: 'development',
    PAYMENTS_API_KEY: `drill_${randomBytes(16).toString('hex')}`,
    WEBHOOK_AUTH: `bearer:${webhookToken}`,
  };
  const simulator = startable(folder, {
    name: 'simulator',
    script: 'tools/simulator/main.js',
    port: simulatorPort,
    health: '/_control/faults',
    env: { ...common, ...simulatorSettings(simulatorPort, publicPort) },
  });
  const env = { ...common, ...shopSettings({ simulatorPort, publicPort, databaseUrl }) };
  return {
    simulator,
    webhookToken,
    secrets: [common.PAYMENTS_API_KEY, webhookToken, env.SESSION_SECRET],
    shops: ports.map((port, index) =>
      startable(folder, {
        name: `shop-${index}`,
        script: 'src/main.js',
        port,
        health: '/readyz',
        env: { ...env, PORT: String(port) },
      }),
    ),
  };
}

/** Closes all open stages, after Ctrl-C. */
export async function closeAllStages(): Promise<void> {
  await Promise.allSettled([...closings].map((close) => close()));
}

/** Removes all remaining folders synchronously at process exit. */
export function removeAllFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

interface Parts {
  readonly simulator: Shop;
  readonly shops: readonly Shop[];
  readonly databaseUrl: string;
  readonly folder: string;
  readonly secrets: readonly string[];
  readonly webhookToken: string;
  close(): Promise<void>;
}

async function buildStage(parts: Parts): Promise<Stage> {
  const { simulator, shops, databaseUrl, webhookToken, close } = parts;
  const simulatorUrl = simulator.url;
  const [first, ...others] = shops;
  if (!first) throw new Error('a stage needs a shop');
  const strings = stringsOf(simulatorUrl);
  let turn = 0;
  return {
    shops: [first, ...others],
    strings,
    goods: await findProducts(first.url),
    simulatorUrl,
    databaseUrl,
    folder: parts.folder,
    secrets: parts.secrets,
    leakingPages: new Set(),
    webhookHeaders: { Authorization: `Bearer ${webhookToken}`, 'Content-Type': 'application/json' },
    nextUrl() {
      turn = (turn + 1) % shops.length;
      return shops[turn]?.url ?? first.url;
    },
    killSimulator: () => simulator.kill(),
    startSimulator: () => simulator.start(),
    // Reads the ledger first: a charge after this read must not count as lost.
    look: async () => ({ ledger: await strings.ledger(), books: await readBooks(databaseUrl) }),
    [Symbol.asyncDispose]: close,
  };
}
