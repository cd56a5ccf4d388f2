/** Isolated environment for one run of the model test: empty tables, a new simulator, its own clock. */
import type { CheckoutContext } from '../../src/checkout/context.js';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.js';
import { createClient } from '../support/replica.js';
import { deleteRecords } from '../support/tables.js';
import { API_KEY, profileOfThisRun, TestClock, type TestShop } from '../support/test-shop.js';

/**
 * Number of generated runs. `MODEL_RUNS=5000 npm test -- model` runs more; each other simulator profile runs a
 * quarter of them. `MODEL_SEED=… npm test -- model` repeats the runs of the seed that a failure printed.
 */
const REQUESTED_RUNS = Number(process.env['MODEL_RUNS'] ?? 60);
export const RUNS = profileOfThisRun() === 'interface' ? REQUESTED_RUNS : Math.ceil(REQUESTED_RUNS / 4);
export const seed = process.env['MODEL_SEED'] ? { seed: Number(process.env['MODEL_SEED']) } : {};
export const TIME_LIMIT_MS = 600_000;

/** A process of the shop with its own connections to database and gateway. Disposing of it kills the process. */
export interface ShopProcess extends AsyncDisposable {
  readonly context: CheckoutContext;
}

/** Environment of one run. Disposing of it ends all its processes and the simulator. */
export interface RunEnvironment extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly clock: TestClock;
  openProcess(): Promise<ShopProcess>;
}

/** Deletes all rows of the shop's tables except the catalog, and starts a simulator without records. */
export async function openEnvironment(shop: TestShop): Promise<RunEnvironment> {
  await deleteRecords(shop.checkout.db, ['products', 'productEvents']);
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
  simulator.control.settings({ refundsPerPayment: 'several' });
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

async function openProcess(shop: TestShop, { url }: Simulator, clock: TestClock): Promise<ShopProcess> {
  const db = await shop.connect();
  const gateway = createClient(url);
  return {
    context: { ...shop.checkout, db, gateway, clock, lookups: new Map() },
    async [Symbol.asyncDispose]() {
      // Closes the database first: a killed process records nothing about its aborted calls.
      await db[Symbol.asyncDispose]();
      gateway[Symbol.dispose]();
    },
  };
}
