/** Isolated environment for one run of the model test: empty tables, a new simulator, its own clock and random numbers. */

import { type Simulator, startSimulator } from '@tianguis/gateway-tools';
import { createLog } from '../../../src/log.js';
import type { CheckoutContext } from '../../../src/shop/checkout-context.js';
import { changeCheckout } from '../../support/change-checkout.js';
import { createClient } from '../../support/replica.js';
import { seededRandom } from '../../support/seeded-random.js';
import { deleteRecords } from '../../support/tables.js';
import { API_KEY, profileOfThisRun, TestClock, type TestShop } from '../../support/test-shop.js';
import { GatewayScheduler } from './gateway-scheduler.js';

const START = Date.UTC(2026, 0, 15, 18);

/** A process of the shop with its own connections to database and gateway. Disposing of it kills the process. */
export interface ShopProcess extends AsyncDisposable {
  readonly context: CheckoutContext;
}

/** Environment of one run. Disposing of it ends all its processes and the simulator. */
export interface RunEnvironment extends AsyncDisposable {
  readonly simulator: Simulator;
  readonly clock: TestClock;
  /** All log lines of all processes. */
  readonly logged: readonly string[];
  openProcess(): Promise<ShopProcess>;
}

/**
 * Deletes all rows of the shop's tables except the catalog, and starts a simulator without records. Ids, tokens, jitter,
 * the gateway's ids and the order of its calls follow from the seed. Time stands still between two commands.
 */
export async function openEnvironment(shop: TestShop, seed: number): Promise<RunEnvironment> {
  await deleteRecords(shop.checkout.db, ['products']);
  await shop.queries.updateTable('products').set({ updatedAt: START }).execute();
  const simulator = await startSimulator({
    port: 0,
    apiKey: API_KEY,
    profile: profileOfThisRun(),
    now: () => START,
    random: seededRandom(`gateway ${seed}`),
  });
  simulator.control.settings({ refundsPerPayment: 'several' });
  const clock = new TestClock(START);
  const random = seededRandom(`shop ${seed}`);
  const scheduler = new GatewayScheduler(seededRandom(`scheduler ${seed}`));
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => logged.push(line) });
  const opened: ShopProcess[] = [];
  return {
    simulator,
    clock,
    logged,
    async openProcess() {
      const process = await openProcess(shop, simulator, { clock, random, log, scheduler });
      opened.push(process);
      return process;
    },
    async [Symbol.asyncDispose]() {
      for (const process of opened) await process[Symbol.asyncDispose]();
      await simulator.close();
    },
  };
}

interface Shared extends Pick<CheckoutContext, 'clock' | 'random' | 'log'> {
  readonly scheduler: GatewayScheduler;
}

async function openProcess(shop: TestShop, { url }: Simulator, { scheduler, ...shared }: Shared): Promise<ShopProcess> {
  const db = await shop.connect();
  const client = createClient(url, { random: shared.random });
  const own = { ...shared, db, gateway: scheduler.schedule(client), lookups: new Map() };
  return {
    context: changeCheckout(shop.checkout, own),
    async [Symbol.asyncDispose]() {
      // Closes the database first: a killed process records nothing about its aborted calls.
      await db[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}
