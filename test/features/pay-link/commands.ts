/** Commands of the model test about payment links, on one device or on two. */
import fc from 'fast-check';
import { startAttempt } from '../../../src/checkout/start-attempt.js';
import { chargeCard } from '../../../src/checkout/start-card-payment.js';
import { openSession } from '../../../src/checkout/start-hosted-checkout.js';
import { type Command, dieDuring, given, times, withFaults } from '../../model/commands.js';
import { type Card, ignoreShopErrors, type System } from '../../model/system.js';
import { CARDS } from '../../support/purchase.js';

const orders = fc.nat(3);
const cards = fc.constantFrom<Card>('paid', 'challenged', 'declined');

export const COMMANDS: fc.Arbitrary<Command>[] = [
  given('link, hosted, of order', orders, (system, n) => payHosted(system, n)),
  given('link, card, of order', fc.tuple(orders, cards), (system, [n, card]) => payByCard(system, n, card)),
  given('link on two devices, hosted, of order', orders, async (system, n) => {
    await Promise.all([payHosted(system, n), payHosted(system, n)]);
  }),
  given('link on two devices, both flows, of order', orders, async (system, n) => {
    await Promise.all([payHosted(system, n), payByCard(system, n, 'paid')]);
  }),
  given('link and checkout at once, card, of order', orders, async (system, n) => {
    await Promise.all([payByCard(system, n, 'paid'), system.submitCard('paid')]);
  }),
  given('link, card, answer lost, of order', fc.tuple(orders, cards), (system, [n, card]) =>
    withFaults(system, { process: { kind: 'drop', when: 'after' } }, () => payByCard(system, n, card)),
  ),
  given('process dies at the card call of a link,', fc.tuple(times, orders), (system, [when, n]) =>
    dieDuring(system, when, () => payByCard(system, n, 'paid')),
  ),
];

async function start(system: System, index: number, flow: 'hosted' | 'card') {
  const all = await system.orders();
  const order = all[index % Math.max(1, all.length)];
  if (!order) return undefined;
  const request = { flow, payAgain: system.paysAgain, isFromLink: true };
  const started = await ignoreShopErrors(startAttempt(system.context, order, request));
  return started?.kind === 'leased' ? started : undefined;
}

async function payHosted(system: System, index: number): Promise<void> {
  const leased = await start(system, index, 'hosted');
  if (!leased) return;
  await ignoreShopErrors(openSession(system.context, leased, { client: undefined, isSecondTry: true }));
}

async function payByCard(system: System, index: number, card: Card): Promise<void> {
  system.cardSubmits += 1;
  const tokens = system.simulator.control.tokenizeCard(CARDS[card]);
  const leased = await start(system, index, 'card');
  if (leased) await ignoreShopErrors(chargeCard(system.context, leased, { client: undefined, tokens }));
}
