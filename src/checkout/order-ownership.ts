import { createHash } from 'node:crypto';
import type { Contact } from '../core/contact.js';
import type { Order } from '../store/orders.js';

export interface Claimant {
  /** What the shopper's session kept of the orders it placed. */
  readonly ownOrders: readonly string[];
  readonly contact: Contact;
}

/**
 * What a session keeps of an order that its shopper placed. It names the person too: whoever placed an order in a cart
 * that somebody else then carries on must not read that person's name and address.
 */
export function ownershipMark(order: Order): string {
  const person = JSON.stringify([order.firstName, order.lastName, order.email]);
  return `${order.id}.${createHash('sha256').update(`${order.id}${person}`).digest('base64url')}`;
}

/** The id of the order that a mark is about. */
export function orderIdOf(mark: string): string {
  return mark.split('.', 1)[0] ?? '';
}

/**
 * Whether whoever asks is whoever placed the order: the session says so, or they know every contact field of it. A
 * second click may still carry the session id of before the order; a planted session id must not be enough.
 */
export function isOwnOrder(order: Order, { ownOrders, contact }: Claimant): boolean {
  return ownOrders.includes(ownershipMark(order)) || isSamePerson(order, contact);
}

export function isSamePerson(order: Order, contact: Contact): boolean {
  return (
    order.firstName === contact.firstName &&
    order.lastName === contact.lastName &&
    order.email === contact.email
  );
}
