/** Commands of the model test about payment links, on one device or on two. */
import { paymentsOf } from '@tianguis/payments/testing';
import fc from 'fast-check';
import { type Command, dieDuring, given, times, withFaults } from '../../../../test/payments-in-shop/model/commands.js';
import { type Card, refusalOf, type System } from '../../../../test/payments-in-shop/model/system.js';
import type { Order } from '../../../tables/orders.js';

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

/** Returns the order that is paid from its link. */
async function orderAt(system: System, index: number): Promise<Order | undefined> {
  const all = await system.orders();
  return all[index % Math.max(1, all.length)];
}

async function payHosted(system: System, index: number): Promise<void> {
  const order = await orderAt(system, index);
  if (order) await refusalOf(paymentsOf(system.context).startHosted(order.id, fromLink(system)));
}

async function payByCard(system: System, index: number, card: Card): Promise<void> {
  const order = await orderAt(system, index);
  if (order)
    await system.sendCard(card, (tokens) => paymentsOf(system.context).startCard(order.id, tokens, fromLink(system)));
}

const fromLink = ({ paysAgain: payAgain }: System) => ({ payAgain, isFromLink: true });
