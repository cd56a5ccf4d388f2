import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { inParallel } from '../../../test/support/crowd.js';
import type { StartOptions } from '../../../test/support/programs.js';
import { buyHosted, Customer, ONCE, pathOf, type Retries, retry } from '../customer.js';
import { countQueues } from '../database-state.js';
import { type Environment, readShopState } from '../environment.js';
import type { Scenario } from '../scenario.js';
import { isReached, waitUntilVerified } from '../settlement.js';
import type { Call } from '../simulator-control.js';

const PRELOAD = fileURLToPath(new URL('../crash-at-write.js', import.meta.url));
/** A purchase has about 40 writes. The limit ends a sweep that does not terminate. */
const MAX_WRITES = 120;
/** 22 tries with pauses of 3 s, longer than the leases of a killed process (12 s or 60 s). */
const AFTER_LEASES: Retries = { tries: 22, pauseMs: () => 3_000 };

export const crashSteps: Scenario = {
  id: 'crash-steps',
  description: 'The shop is killed before each database write and during each gateway call: nothing is lost',
  flows: [],
  limitMs: 900_000,
  async run(environment, { short }) {
    const crashes: Crashes = { environment, acknowledged: [], interrupted: [] };
    const writes: number[] = [];
    for (const { purchase } of FLOWS) writes.push(await crashBeforeWrites(crashes, purchase, short ? 40 : 1));
    let calls = 0;
    for (const flow of FLOWS) {
      for (const call of short ? flow.calls.slice(0, 1) : flow.calls) {
        calls += await crashDuringCall(crashes, flow.purchase, { call, apply: false });
        calls += await crashDuringCall(crashes, flow.purchase, { call, apply: true });
      }
    }
    await restart(environment);
    return async () => {
      await inParallel(crashes.interrupted, 32, (resume) => resume(AFTER_LEASES).catch(() => {}));
      // A lost answer is found by its webhook event and then looked up, so no charge stays in review.
      const { paid, review, lost } = await waitUntilVerified(environment, 100_000);
      const state = await readShopState(environment);
      const stored = new Set<string | null>([
        ...state.attempts.map(({ gatewayId }) => gatewayId),
        ...state.orders.map(({ token }) => token),
      ]);
      const missing = crashes.acknowledged.filter((id) => !stored.has(id)).length;
      return {
        summary: `${writes.join(' + ')} writes and ${calls} calls: ${missing} acknowledged and missing; ${paid} charges paid, ${review} in review, ${lost} lost`,
        checks: [
          [missing === 0, `${missing} acknowledged orders are missing`],
          [lost === 0, `${lost} charges lost`],
          [calls > 0, 'no purchase reached the gateway'],
        ],
      };
    };
  },
};

interface Crashes {
  readonly environment: Environment;
  /** Session ids and order tokens that customers received before the crash. None may be missing. */
  readonly acknowledged: string[];
  /** Repeats a purchase that a crash interrupted, with the same customer. */
  readonly interrupted: ((retries: Retries) => Promise<void>)[];
}

type Purchase = (crashes: Crashes, customer: Customer, retries: Retries) => Promise<void>;

/** The shop's payment flows with their gateway calls. The first call starts the payment. */
const FLOWS: readonly { readonly id: PaymentFlow; readonly purchase: Purchase; readonly calls: readonly Call[] }[] = (
  [
    { id: 'hosted', purchase: buyAndReturn, calls: ['create-session', 'read-session'] },
    { id: 'card', purchase: buyByCard, calls: ['process', 'read-transaction'] },
  ] as const
).filter(({ id }) => FLOW_IDS.includes(id));

async function buyAndReturn(crashes: Crashes, customer: Customer, retries: Retries): Promise<void> {
  const returnPath = await buyHosted(crashes, customer, retries);
  if (returnPath !== undefined) await retry(retries, () => customer.get(returnPath));
}

async function buyByCard({ acknowledged }: Crashes, customer: Customer, retries: Retries): Promise<void> {
  await retry(retries, () => customer.add());
  const reply = await retry(retries, () => customer.payByCard());
  const token = /^\/orders\/([\w-]+)$/.exec(pathOf(reply.headers.location))?.[1];
  if (token === undefined) return;
  acknowledged.push(token);
  await retry(retries, () => customer.get(`/orders/${token}`));
}

/** Repeats a purchase and crashes before write 1, 2 and so on, until a purchase has fewer writes. */
async function crashBeforeWrites(crashes: Crashes, purchase: Purchase, step: number): Promise<number> {
  const { environment } = crashes;
  const [shop] = environment.shops;
  let crashed = 0;
  for (let write = 1, completed = 0; completed < 2 && write < MAX_WRITES; write += step) {
    await restart(environment, { nodeOptions: ['--import', PRELOAD], args: [String(write)] });
    shop.signal('SIGUSR2');
    const customer = new Customer(environment);
    const isBroken = await purchase(crashes, customer, ONCE).then(
      () => false,
      () => true,
    );
    if (isBroken) {
      crashes.interrupted.push((retries) => purchase(crashes, customer, retries));
      // The exit event of the process arrives after the connection breaks.
      await isReached(() => !shop.isRunning(), { withinMs: 2_000, everyMs: 5 });
    } else {
      const isDone = async () => !shop.isRunning() || (await countQueues(environment.databaseUrl)).jobs === 0;
      await isReached(isDone, { withinMs: 5_000, everyMs: 50 });
    }
    completed = shop.isRunning() ? completed + 1 : 0;
    crashed += shop.isRunning() ? 0 : 1;
  }
  return crashed;
}

/** Kills the shop during a gateway call, with or without its effect. Returns 1 if the call was sent. */
async function crashDuringCall(
  crashes: Crashes,
  purchase: Purchase,
  { call, apply }: { readonly call: Call; readonly apply: boolean },
): Promise<number> {
  const { environment } = crashes;
  const { control } = environment;
  await restart(environment);
  await control('reset');
  await control('fault', call, { kind: 'hang', apply }, 1);
  const customer = new Customer(environment);
  const purchased = purchase(crashes, customer, ONCE).catch(() => {});
  const isSent = async () => (await control('calls', call)).length > 0;
  const sent = (await isReached(isSent, { withinMs: 10_000 })) ? 1 : 0;
  // Waits 700 ms, so that the webhook event about this call arrives before the kill. This is the hardest case.
  if (apply) await delay(700);
  await environment.shops[0].kill();
  await purchased;
  crashes.interrupted.push((retries) => purchase(crashes, customer, retries));
  await control('clearFaults');
  return sent;
}

async function restart({ shops: [shop] }: Environment, options: StartOptions = {}): Promise<void> {
  await shop.kill();
  await shop.start(options);
}
