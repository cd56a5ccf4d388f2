/** Commands of the model test. Each one is an event in the life of a shop, and they run in any order. */

import type { Call, Fault } from '@tianguis/gateway-tools';
import { DECISIONS } from '@tianguis/payments/rules';
import fc, { type AsyncCommand } from 'fast-check';
import type { Gateway } from '../../../packages/payments/src/gateway/gateway.js';
import type { CheckoutContext } from '../../../src/shop/checkout-context.js';
import { SHIPPED } from '../../support/catalog.js';
import { changeCheckout } from '../../support/change-checkout.js';
import { checkInvariants } from './invariants.js';
import type { Card, System } from './system.js';

export type Command = AsyncCommand<object, System>;

/** 3 s before each command, so that the last lookup is no longer fresh. */
const BETWEEN_COMMANDS_MINUTES = 0.05;

function command(name: string, run: (system: System) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(_model, system) {
      system.advance(BETWEEN_COMMANDS_MINUTES);
      await run(system);
      await checkInvariants(system);
    },
  };
}

/** Returns a command without values. */
export const always = (name: string, run: (system: System) => Promise<void>) => fc.constant(command(name, run));

/** Returns a command that gets one of these values, which its name shows. */
export const given = <T>(name: string, values: fc.Arbitrary<T>, run: (system: System, value: T) => Promise<void>) =>
  values.map((value) => command(`${name} ${value}`, (system) => run(system, value)));

/**
 * Returns the context of a process that dies at its next gateway call. It dies before the gateway receives the call, or
 * after it answered. `death` resolves at that time.
 */
function dying(context: CheckoutContext, when: 'before' | 'after') {
  let die = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const dyingCall =
    <A extends readonly unknown[]>(call: (...args: A) => Promise<unknown>) =>
    async (...args: A) => {
      if (when === 'after') await call(...args).catch(() => {});
      die();
      return new Promise<never>(() => {});
    };
  const { gateway } = context;
  const dyingGateway: Gateway = {
    ...gateway,
    startSession: dyingCall(gateway.startSession),
    processPayment: dyingCall(gateway.processPayment),
    refundPayment: dyingCall(gateway.refundPayment),
    lookUp: dyingCall(gateway.lookUp),
  };
  return { context: changeCheckout(context, { gateway: dyingGateway }), death };
}

/** Runs `work` in a process that dies during it. Then starts a new process 1 minute later, after all leases. */
export async function dieDuring(system: System, when: 'before' | 'after', work: () => Promise<void>): Promise<void> {
  const { context, death } = dying(system.context, when);
  system.context = context;
  const working = work();
  await Promise.race([working, death]);
  // Work of the killed process may still fail. The failure does not concern the test.
  working.catch(() => {});
  await system.restart();
  system.advance(1);
}

/** Runs `work` while calls of the gateway have a fault. */
export async function withFaults(
  { simulator: { control } }: System,
  faults: Partial<Record<Call, Fault>>,
  work: () => Promise<void>,
): Promise<void> {
  for (const [call, fault] of Object.entries(faults)) control.fault(call as Call, fault);
  await work();
  control.clearFaults();
}

/** Runs `work` while a function of the host throws after it wrote. */
async function withFailingHost(
  system: System,
  name: 'lockBefore' | 'lockGoods' | 'applyChange',
  work: () => Promise<void>,
): Promise<void> {
  const { context } = system;
  const { host } = context;
  const failAfter = (written: Promise<unknown>) => written.then(() => Promise.reject(new Error('a bug of the host')));
  const failing: Pick<typeof host, typeof name> = {
    lockBefore: (tx, orderIds) => failAfter(host.lockBefore(tx, orderIds)),
    lockGoods: (tx, order) => failAfter(host.lockGoods(tx, order)),
    applyChange: (tx, change) => failAfter(host.applyChange(tx, change)),
  };
  system.context = changeCheckout(context, {}, { [name]: failing[name] });
  system.hasFailedHost = true;
  await work();
  system.context = context;
}

const LOST: Fault = { kind: 'drop', when: 'after' };
const UNKNOWN_WORD: Fault = { kind: 'rewrite', set: { status: 'Verifying' } };
const refused = (status: number): Fault => ({ kind: 'status', status });
/** Not retried, so that a command is quick. */
const LOOKUPS_FAIL = { 'read-session': refused(401), 'read-transaction': refused(401) };
const NOT_FOUND = { 'read-session': refused(404), 'read-transaction': refused(404) };
const products = fc.constantFrom('taza-talavera', 'papel-picado', SHIPPED);
const cards = fc.constantFrom<Card>('paid', 'authorized', 'challenged', 'declined');
/** When a call is lost, or its process dies. */
export const times = fc.constantFrom('before' as const, 'after' as const);
const index = fc.nat(5);

/** The commands of the core, as arbitraries for `fc.commands`. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  given('add', products, (system, id) => system.add(id)),
  given('submit hosted with the last shipping option:', fc.boolean(), (system, isLast) => {
    system.choosesLast = isLast;
    return system.submitHosted();
  }),
  always('correct the e-mail address and submit hosted', (system) => {
    system.email = 'eva.correct@example.com';
    return system.submitHosted();
  }),
  always('submit hosted', (system) => system.submitHosted()),
  always('submit hosted twice at once', async (system) => {
    await Promise.all([system.submitHosted(), system.submitHosted()]);
  }),
  given('process dies after it placed an order,', fc.constantFrom('hosted' as const, 'card' as const), (system, flow) =>
    system.placeOnly(flow),
  ),
  given('submit card:', cards, (system, card) => system.submitCard(card)),
  always('submit card: declined with 402', async (system) => {
    const { control } = system.simulator;
    control.settings({ declineHttpStatus: 402 });
    await system.submitCard('declined');
    control.settings({ declineHttpStatus: 200 });
  }),
  given('submit card, answer lost:', cards, (system, card) =>
    withFaults(system, { process: LOST }, () => system.submitCard(card)),
  ),
  given('submit card, refused with', fc.constantFrom(401, 422, 429), (system, status) =>
    withFaults(system, { process: refused(status) }, () => system.submitCard('paid')),
  ),
  always('submit card, lookups fail', (system) => withFaults(system, LOOKUPS_FAIL, () => system.submitCard('paid'))),
  always('submit hosted, lookups fail', (system) => withFaults(system, LOOKUPS_FAIL, () => system.submitHosted())),
  always('submit card and hosted at once', async (system) => {
    await Promise.all([system.submitCard('paid'), system.submitHosted()]);
  }),
  given('submit hosted, answers lost:', fc.constantFrom(1, 2), async (system, count) => {
    system.simulator.control.fault('create-session', LOST, count);
    await system.submitHosted();
    system.simulator.control.clearFaults();
  }),
  given('customer confirms warnings:', fc.boolean(), async (system, confirms) => {
    system.paysAgain = confirms;
  }),
  // The last one is beyond any watch.
  given('ended sessions are paid late, after minutes:', fc.constantFrom(0, 100, 1e7), async (system, minutes) => {
    system.simulator.control.settings({ latePaymentMinutes: minutes });
  }),
  given('the bank uses an unknown word:', cards, (system, card) =>
    withFaults(system, { 'read-transaction': UNKNOWN_WORD }, () => system.submitCard(card)),
  ),
  always('new API key', (system) => system.changeKey()),
  always('submit hosted, refused', (system) =>
    withFaults(system, { 'create-session': refused(422) }, () => system.submitHosted()),
  ),
  given('customer pays session', index, (system, n) => system.endSession(n, 'paySession')),
  given('customer cancels session', index, (system, n) => system.endSession(n, 'cancelSession')),
  given('bank approves payment', index, (system, n) => system.answerBank(n, true)),
  given('bank refuses payment', index, (system, n) => system.answerBank(n, false)),
  always('customer returns', (system) => system.settleAll('return')),
  always('customer returns, lookups fail', (system) => withFaults(system, NOT_FOUND, () => system.settleAll('return'))),
  given(
    'customer returns, the host fails in',
    fc.constantFrom('lockBefore' as const, 'lockGoods' as const, 'applyChange' as const),
    (system, name) => withFailingHost(system, name, () => system.settleAll('return')),
  ),
  given('the host fails, and submit card:', cards, (system, card) =>
    withFailingHost(system, 'applyChange', () => system.submitCard(card)),
  ),
  always('webhooks', (system) => system.deliverWebhooks()),
  always('worker', (system) => system.reconcile()),
  always('return, webhooks, worker and order page at once', async (system) => {
    await Promise.all([
      system.settleAll('return'),
      system.deliverWebhooks(),
      system.reconcile(),
      system.settleAll('order_page'),
    ]);
  }),
  given('merchant:', fc.constantFrom(...DECISIONS), (system, decision) => system.decide(decision, false)),
  given('merchant, with the gateway id:', fc.constantFrom(...DECISIONS), (system, decision) =>
    system.decide(decision, true),
  ),
  given('minutes pass:', fc.constantFrom(1, 20, 61, 13_000), async (system, minutes) => system.advance(minutes)),
  given('process dies at the session call,', times, (system, when) =>
    dieDuring(system, when, () => system.submitHosted()),
  ),
  given('process dies at the card call,', fc.tuple(times, cards), (system, [when, card]) =>
    dieDuring(system, when, () => system.submitCard(card)),
  ),
  given('process dies at a lookup,', times, (system, when) =>
    dieDuring(system, when, () => system.settleAll('return')),
  ),
];
