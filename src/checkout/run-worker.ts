import { setTimeout as delay } from 'node:timers/promises';
import { faultName } from '../core/fault-name.js';
import { processInbox } from './process-inbox.js';
import { processOutbox } from './process-outbox.js';
import { createLookupBudget, type LookupBudget, reconcile } from './reconcile.js';
import type { CheckoutServices } from './services.js';
import { tidyUp } from './tidy-up.js';

const IDLE_MS = 500;

/**
 * Does the background work of one process until it is disposed of, which waits for the turn under way. Any number of
 * processes may run one: whatever a turn takes is leased. A turn that fails is logged and the next one follows.
 */
export function startWorker(services: CheckoutServices): AsyncDisposable {
  const stop = new AbortController();
  const running = run(services, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(services: CheckoutServices, stop: AbortSignal): Promise<void> {
  const budget = createLookupBudget(() => services.clock.now());
  while (!stop.aborted) {
    const startedAt = performance.now();
    const taken = await takeTurn(services, budget);
    services.observer.workerTurned(performance.now() - startedAt, taken !== undefined);
    if (!taken) await delay(IDLE_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/**
 * One turn: what messages point to, what is due, what paid orders still wait for. Says how much there was; `undefined`
 * when it failed.
 */
async function takeTurn(services: CheckoutServices, budget: LookupBudget): Promise<number | undefined> {
  try {
    await tidyUp(services);
    const taken = [
      await processInbox(services),
      await reconcile(services, budget),
      await processOutbox(services),
    ];
    return taken.reduce((total, count) => total + count, 0);
  } catch (error) {
    services.log.error('worker_turn_failed', { reason: faultName(error) });
    return undefined;
  }
}
