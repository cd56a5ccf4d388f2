/** Commands of the model test. Each one is an event in the life of a shop, and they run in any order. */
import fc, { type AsyncCommand } from 'fast-check';
import type { CheckoutContext } from '../../src/checkout/context.js';
import { DECISIONS } from '../../src/domain/decision.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { checkInvariants } from './invariants.js';
import type { Card, System } from './system.js';

type Command = AsyncCommand<object, System>;

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

/**
 * Returns the context of a process that dies at its next gateway call, and a promise that resolves at its death.
 * `when` selects death before the gateway receives the call, or after it answered.
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
  return { context: { ...context, gateway: dyingGateway }, death };
}

/** Runs `work` in a process that dies during it. Then starts a new process 1 minute later, after all leases. */
async function dieDuring(system: System, when: 'before' | 'after', work: () => Promise<void>): Promise<void> {
  const { context, death } = dying(system.context, when);
  system.use(context);
  const working = work();
  await Promise.race([working, death]);
  // Work of the killed process may still fail. The failure does not concern the test.
  working.catch(() => {});
  await system.restart();
  system.advance(1);
}

/** Runs `work` while calls of the gateway have a fault. */
async function withFaults(
  { simulator: { control } }: System,
  faults: Partial<
    Record<'process' | 'refund' | 'create-session' | 'read-session' | 'read-transaction', Fault>
  >,
  work: () => Promise<void>,
): Promise<void> {
  for (const [call, fault] of Object.entries(faults)) control.fault(call as keyof typeof faults, fault);
  await work();
  control.clearFaults();
}

const LOST: Fault = { kind: 'drop', when: 'after' };
const refused = (status: number): Fault => ({ kind: 'status', status });
const products = fc.constantFrom('taza-talavera', 'papel-picado', 'vainilla-papantla');
const cards = fc.constantFrom<Card>('paid', 'authorized', 'challenged', 'declined');
const times = fc.constantFrom('before' as const, 'after' as const);
const percents = fc.constantFrom(30, 100);
const index = fc.nat(5);

/** All commands, as arbitraries for `fc.commands`. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  products.map((id) => command(`add ${id}`, (system) => system.add(id))),
  fc.constantFrom('standard' as const, 'pickup' as const).map((option) =>
    command(`choose ${option} and submit hosted`, (system) => {
      system.chooseShipping(option);
      return system.submitHosted();
    }),
  ),
  fc.constant(
    command('correct the e-mail address and submit hosted', (system) => {
      system.correctEmail('eva.correct@example.com');
      return system.submitHosted();
    }),
  ),
  fc.constant(command('submit hosted', (system) => system.submitHosted())),
  fc.constant(
    command('submit hosted twice at once', async (system) => {
      await Promise.all([system.submitHosted(), system.submitHosted()]);
    }),
  ),
  cards.map((card) => command(`submit card: ${card}`, (system) => system.submitCard(card))),
  fc.constant(
    command('submit card: declined with 402', async (system) => {
      const { control } = system.simulator;
      control.settings({ declineHttpStatus: 402 });
      await system.submitCard('declined');
      control.settings({ declineHttpStatus: 200 });
    }),
  ),
  cards.map((card) =>
    command(`submit card, answer lost: ${card}`, (system) =>
      withFaults(system, { process: LOST }, () => system.submitCard(card)),
    ),
  ),
  fc.constant(
    command('submit hosted, refused', (system) =>
      withFaults(system, { 'create-session': refused(422) }, () => system.submitHosted()),
    ),
  ),
  index.map((n) => command(`customer pays session ${n}`, (system) => system.paySession(n))),
  index.map((n) => command(`customer cancels session ${n}`, (system) => system.cancelSession(n))),
  fc
    .tuple(index, fc.boolean())
    .map(([n, approves]) =>
      command(`bank ${approves ? 'approves' : 'refuses'} payment ${n}`, (system) =>
        system.answerBank(n, approves),
      ),
    ),
  fc.constant(command('customer returns', (system) => system.settleAll('return'))),
  fc.constant(
    command('customer returns, lookups fail', (system) =>
      withFaults(system, { 'read-session': refused(404), 'read-transaction': refused(404) }, () =>
        system.settleAll('return'),
      ),
    ),
  ),
  fc.constant(command('webhooks', (system) => system.deliverWebhooks())),
  fc.constant(command('worker', (system) => system.reconcile())),
  fc.constant(
    command('return, webhooks, worker and order page at once', async (system) => {
      await Promise.all([
        system.settleAll('return'),
        system.deliverWebhooks(),
        system.reconcile(),
        system.settleAll('order_page'),
      ]);
    }),
  ),
  fc
    .tuple(fc.constantFrom(...DECISIONS), fc.boolean())
    .map(([decision, namesPayment]) =>
      command(`merchant: ${decision}${namesPayment ? ' with the gateway id' : ''}`, (system) =>
        system.decide(decision, namesPayment),
      ),
    ),
  percents.map((percent) => command(`merchant refunds ${percent} %`, (system) => system.refund(percent))),
  fc.constant(command('two admin users refund at once', (system) => system.refund(50, 2))),
  fc
    .tuple(percents, times)
    .map(([percent, when]) =>
      command(`merchant refunds ${percent} %, answer lost ${when} its effect`, (system) =>
        withFaults(system, { refund: { kind: 'drop', when } }, () => system.refund(percent)),
      ),
    ),
  percents.map((percent) =>
    command(`merchant refunds ${percent} %, pending`, async (system) => {
      const { control } = system.simulator;
      control.settings({ refundStatus: 'Pending' });
      await system.refund(percent);
      control.settings({ refundStatus: 'Success' });
    }),
  ),
  fc
    .constantFrom('check' as const, 'repeat' as const)
    .map((action) => command(`merchant: ${action} refunds`, (system) => system.resolveRefunds(action))),
  fc
    .constantFrom('Success' as const, 'Failed' as const)
    .map((status) =>
      command(`pending refunds end with ${status}`, async (system) => system.finishRefunds(status)),
    ),
  times.map((when) =>
    command(`process dies ${when} the refund call`, (system) =>
      dieDuring(system, when, () => system.refund(100)),
    ),
  ),
  fc
    .constantFrom(1, 20, 61)
    .map((minutes) => command(`${minutes} minutes pass`, async (system) => system.advance(minutes))),
  times.map((when) =>
    command(`process dies ${when} the session call`, (system) =>
      dieDuring(system, when, () => system.submitHosted()),
    ),
  ),
  fc
    .tuple(times, cards)
    .map(([when, card]) =>
      command(`process dies ${when} the card call: ${card}`, (system) =>
        dieDuring(system, when, () => system.submitCard(card)),
      ),
    ),
  times.map((when) =>
    command(`process dies ${when} a lookup`, (system) =>
      dieDuring(system, when, () => system.settleAll('return')),
    ),
  ),
];
