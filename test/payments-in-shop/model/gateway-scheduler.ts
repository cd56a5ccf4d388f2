/** A deterministic scheduler of gateway calls. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Gateway } from '../../../packages/payments/src/gateway/gateway.js';
import { type Random, randomFraction } from '../../../packages/payments/src/rules/random.js';

type Call<A extends readonly unknown[], T> = (...args: A) => Promise<T>;

/**
 * Runs the gateway calls of concurrent work one after another, and also delivers their answers one after another. `random`
 * chooses the next one. It is chosen when all other work waits for the gateway, so that a seed repeats the order.
 */
export class GatewayScheduler {
  readonly #random: Random;
  readonly #waiting: (() => Promise<unknown>)[] = [];
  #isRunning: boolean = false;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a client whose calls are scheduled. */
  schedule(gateway: Gateway): Gateway {
    return {
      ...gateway,
      startSession: this.#scheduled(gateway.startSession),
      processPayment: this.#scheduled(gateway.processPayment),
      refundPayment: this.#scheduled(gateway.refundPayment),
      readRefund: this.#scheduled(gateway.readRefund),
      lookUp: this.#scheduled(gateway.lookUp),
    };
  }

  #scheduled<A extends readonly unknown[], T>(call: Call<A, T>): Call<A, T> {
    return async (...args) => {
      const [answer] = await this.#enqueue(() => Promise.allSettled([call(...args)]));
      await this.#enqueue(() => Promise.resolve());
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    };
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await untilIdle();
      const index = Math.floor(randomFraction(this.#random) * this.#waiting.length);
      const [next] = this.#waiting.splice(index, 1);
      await next?.();
    }
    this.#isRunning = false;
  }
}

let waiting: Promise<void> | undefined;

/**
 * Resolves when no commit is pending. A group commit runs in the next turns of the event loop. All schedulers share one wait:
 * the turns of two would count as each other's pending work, without end.
 */
function untilIdle(): Promise<void> {
  waiting ??= waitUntilIdle().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

async function waitUntilIdle(): Promise<void> {
  do await nextTurn();
  while (process.getActiveResourcesInfo().includes('Immediate'));
}
