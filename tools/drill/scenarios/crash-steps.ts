import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inParallel, until } from '../../../test/support/crowd.js';
import { countQueues } from '../books.js';
import { Customer, expectStatus, pathOf, patiently, pay, sessionBehind } from '../customer.js';
import { chargesThat, type GatewayPayment } from '../invariants.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { untilAllPaid, untilNoneLost } from '../settling.js';
import type { Stage } from '../stage.js';
import type { Shop } from '../startable.js';
import type { Call } from '../strings.js';

const PRELOAD = fileURLToPath(new URL('../crash-at-write.js', import.meta.url));
/** A purchase has about 40 writes. The limit ends a sweep that does not terminate. */
const MOST_WRITES = 120;

export const crashSteps: Scenario = {
  id: 'crash-steps',
  says: 'The shop is killed before each database write and during each gateway call of a purchase: nothing is lost',
  ties: 'cases 44, 45, 113-116, complaints 1, 4, 9, 10, 17',
  limitMs: 900_000,
  play: playCrashes,
};

interface Sweep {
  readonly stage: Stage;
  readonly shop: Shop;
  /** Session ids and order tokens that customers received before the crash. None may be lost. */
  readonly acknowledged: string[];
  /** Purchases that a crash interrupted. */
  readonly stranded: Journey[];
}

/** A purchase from the cart to the order page. It can be resumed after a crash. */
interface Journey {
  readonly customer: Customer;
  walk(journey: Journey, pace: Pace): Promise<void>;
}

type Pace = Parameters<typeof patiently>[1];
const ONCE: Pace = { tries: 1, pauseMs: () => 0 };
/** 14 tries with pauses of 3 s, longer than the leases of a killed process (12 s or 35 s). */
const PATIENT: Pace = { tries: 14, pauseMs: () => 3_000 };

async function playCrashes(stage: Stage, scale: Scale): Promise<Aftermath> {
  const sweep: Sweep = { stage, shop: stage.shops[0], acknowledged: [], stranded: [] };
  const every = scale.short ? 40 : 1;
  const writes: number[] = [];
  for (const { walk } of WAYS) writes.push(await sweepWrites(sweep, walk(sweep), every));
  const calls = await sweepCalls(sweep, scale.short);
  await restart(sweep.shop);
  return async () => {
    await inParallel(sweep.stranded, 32, (journey) => journey.walk(journey, PATIENT).catch(() => {}));
    const { paid, seen, lost } = await (scale.short ? untilNoneLost : untilAllPaid)(stage, 100_000);
    const evidence = await stage.look();
    const { books } = evidence;
    const overheard = await countOverheard(stage, evidence);
    const kept = new Set([
      ...books.attempts.map(({ gatewayId }) => gatewayId),
      ...books.orders.map(({ token }) => token),
    ]);
    const forgotten = sweep.acknowledged.filter((name) => !kept.has(name)).length;
    return {
      figures: `${writes.join(' + ')} writes and ${calls} calls: ${forgotten} acknowledged and lost; ${paid} charges paid, ${seen} in review, ${lost} lost`,
      problems: [
        ...unless(forgotten === 0, `${forgotten} acknowledged orders are gone`),
        ...unless(lost === 0, `${lost} charges lost`),
        ...unless(
          scale.short || overheard === 0,
          `${overheard} charges in review although their webhook event was delivered`,
        ),
      ],
    };
  };
}

/**
 * Counts charges in review although their webhook event was delivered. In a short run, the shop may be down at
 * all delivery attempts.
 */
async function countOverheard({ strings }: Stage, evidence: GatewayPayment): Promise<number> {
  const delivered = (await strings.deliveries()).filter(({ state }) => state === 'delivered');
  const told = new Set(delivered.map(({ payload }) => payload.id));
  return chargesThat('seen', evidence).filter(({ id }) => told.has(id)).length;
}

/** Repeats a purchase and crashes before write 1, 2 and so on, until a purchase has fewer writes. */
async function sweepWrites(sweep: Sweep, walk: Journey['walk'], every: number): Promise<number> {
  let crashes = 0;
  for (let write = 1, unhit = 0; unhit < 2 && write < MOST_WRITES; write += every) {
    await restart(sweep.shop, { options: ['--import', PRELOAD], args: [String(write)] });
    sweep.shop.signal('SIGUSR2');
    const crashed = await crashDuring(sweep, walk);
    unhit = crashed ? 0 : unhit + 1;
    crashes += crashed ? 1 : 0;
  }
  return crashes;
}

async function crashDuring(sweep: Sweep, walk: Journey['walk']): Promise<boolean> {
  const journey = { customer: new Customer(sweep.stage), walk };
  const broken = await walk(journey, ONCE).then(
    () => false,
    () => true,
  );
  if (broken) sweep.stranded.push(journey);
  else await untilJobsAreDone(sweep);
  // The exit event of the process arrives after the connection breaks.
  if (broken) await until(() => !sweep.shop.isRunning(), { withinMs: 2_000, everyMs: 5 });
  return !sweep.shop.isRunning();
}

async function untilJobsAreDone({ stage, shop }: Sweep): Promise<void> {
  const done = async () => !shop.isRunning() || (await countQueues(stage.databaseUrl)).jobs === 0;
  await until(done, { withinMs: 5_000, everyMs: 50 });
}

/** The payment flows with their gateway calls. The first call starts the payment. */
const WAYS: readonly Way[] = [
  { walk: hosted, calls: ['create-session', 'read-session'] },
  { walk: byCard, calls: ['process', 'read-transaction'] },
];

interface Way {
  readonly walk: (sweep: Sweep) => Journey['walk'];
  readonly calls: readonly Call[];
}

/** Kills the shop during each gateway call: once before the gateway acted and once after. */
async function sweepCalls(sweep: Sweep, short: boolean): Promise<number> {
  let crashes = 0;
  for (const { walk, calls } of WAYS) {
    for (const call of short ? calls.slice(0, 1) : calls) {
      for (const apply of [false, true]) {
        await restart(sweep.shop);
        crashes += await dieInside(sweep, { call, apply, walk: walk(sweep) });
      }
    }
  }
  return crashes;
}

async function dieInside(
  sweep: Sweep,
  { call, apply, walk }: { readonly call: Call; readonly apply: boolean; readonly walk: Journey['walk'] },
): Promise<number> {
  const { strings } = sweep.stage;
  await strings.reset();
  await strings.fault(call, { kind: 'hang', apply }, 1);
  const journey = { customer: new Customer(sweep.stage), walk };
  const walking = walk(journey, ONCE).catch(() => {});
  const reached = await until(async () => (await strings.calls(call)).length > 0, {
    withinMs: 10_000,
    everyMs: 10,
  });
  // Waits 700 ms, so that the webhook event about this call arrives before the kill. This is the hardest case.
  await delay(apply ? 700 : 0);
  await sweep.shop.kill();
  await walking;
  sweep.stranded.push(journey);
  await strings.clearFaults();
  return reached ? 1 : 0;
}

async function restart(shop: Shop, extra: Parameters<Shop['start']>[0] = {}): Promise<void> {
  await shop.kill();
  await shop.start(extra);
}

function hosted({ stage, acknowledged }: Sweep): Journey['walk'] {
  return async ({ customer }, pace) => {
    expectStatus(await patiently(() => customer.addToCart(), pace), 303);
    const reply = await patiently(() => customer.payHosted(), pace);
    const session = sessionBehind(stage, reply);
    if (session === undefined) return;
    acknowledged.push(session);
    const back = await pay(stage, session);
    await patiently(() => customer.get(back), pace);
  };
}

function byCard({ acknowledged }: Sweep): Journey['walk'] {
  return async ({ customer }, pace) => {
    expectStatus(await patiently(() => customer.addToCart(), pace), 303);
    const reply = await patiently(() => customer.payByCard(), pace);
    const order = /^\/orders\/([\w-]+)$/.exec(pathOf(reply.headers.location ?? '/'))?.[1];
    if (order === undefined) return;
    acknowledged.push(order);
    await patiently(() => customer.get(`/orders/${order}`), pace);
  };
}
