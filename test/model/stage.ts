/** Where lives are played: the same tables and the same code for all, and nothing in either from the life before. */
import type { CheckoutServices } from '../../src/checkout/services.js';
import { createGateway } from '../../src/gateway/gateway.js';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.js';
import type { Database } from '../../src/store/database.js';
import { TABLES } from '../../src/store/schema.js';
import { API_KEY, profileOfThisRun, TestClock, type TestShop } from '../support/test-shop.js';

/** A process of the shop, with connections of its own to the database and to the service; disposing of it kills it. */
export interface ShopProcess extends AsyncDisposable {
  readonly services: CheckoutServices;
}

/** What one life has to itself. Disposing of it ends what it left running. */
export interface Stage extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly clock: TestClock;
  openProcess(): Promise<ShopProcess>;
}

/** Empties the tables of the shop and starts a service that knows of nobody. */
export async function setStage(shop: TestShop): Promise<Stage> {
  await emptyTables(shop.services.checkout.db);
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
  const clock = new TestClock();
  const opened: ShopProcess[] = [];
  return {
    simulator,
    clock,
    async openProcess() {
      const process = await openProcess(shop, simulator, clock);
      opened.push(process);
      return process;
    },
    async [Symbol.asyncDispose]() {
      for (const process of opened) await process[Symbol.asyncDispose]();
      await simulator.close();
    },
  };
}

async function emptyTables(db: Database): Promise<void> {
  await db.transaction(async (queries) => {
    // What points to another table comes behind it in the list.
    for (const table of TABLES.toReversed()) await queries.deleteFrom(table).execute();
  });
}

async function openProcess(shop: TestShop, { url }: Simulator, clock: TestClock): Promise<ShopProcess> {
  const db = await shop.connect();
  const gateway = createGateway({
    baseUrl: url,
    checkoutApiUrl: url,
    apiKey: API_KEY,
    pageOrigins: [url],
    allowLoopbackHttp: true,
  });
  return {
    services: { ...shop.services.checkout, db, gateway, clock, lookups: new Map() },
    async [Symbol.asyncDispose]() {
      // The database first: a killed process writes nothing about the calls that were cut.
      await db[Symbol.asyncDispose]();
      gateway[Symbol.dispose]();
    },
  };
}
