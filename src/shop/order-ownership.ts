import { createHash } from 'node:crypto';
import { recordEvent } from '@tianguis/payments/back-office';
import type { Attempt } from '@tianguis/payments/rules';
import type { Db } from '../tables/database.js';
import { type Order, patchDetails } from '../tables/orders.js';
import { type Contact, contactOf, isErased } from './rules/contact.js';

/**
 * Returns the ownership mark that a session stores for an order. It covers the contact that the customer submitted.
 * Customers who share a cart therefore cannot read each other's name and address.
 */
export function ownershipMarkOf({ id, contactHash }: Pick<Order, 'id' | 'contactHash'>): string {
  return `${id}.${contactHash}`;
}

/** Returns the column `contactHash` of an order. A correction by an admin user leaves it unchanged. */
export function contactHashOf(orderId: string, contact: Contact): string {
  const contactValues = JSON.stringify(Object.values(contactOf(contact)));
  return createHash('sha256').update(`${orderId}${contactValues}`).digest('base64url');
}

export function orderIdOf(mark: string): string {
  return mark.split('.', 1)[0] ?? '';
}

interface Customer {
  readonly ownershipMarks: readonly string[];
  readonly contact: Contact;
}

/**
 * Returns whether the customer placed the order: the session holds its mark, or all contact fields match.
 * A repeated click may carry the session id from before the order. A session id alone proves nothing (session fixation).
 */
export function isOwnOrder(order: Order, { ownershipMarks, contact }: Customer): boolean {
  return ownershipMarks.includes(ownershipMarkOf(order)) || isSameContact(order, contact);
}

function isSameContact(order: Order, contact: Contact): boolean {
  return JSON.stringify(contactOf(order)) === JSON.stringify(contactOf(contact));
}

/**
 * Returns whether another customer of a shared cart placed the order. Not if no customer was redirected to it yet: it is
 * `created` and has no live attempt. Not if it was erased, because then it has no owner.
 */
export function isForeignOrder(order: Order, attempts: readonly Attempt[], customer: Customer): boolean {
  const isUnstarted = order.state === 'created' && !attempts.some(({ live }) => live === 1);
  return !isErased(order) && !isUnstarted && !isOwnOrder(order, customer);
}

/** Corrects name and address of an unpaid order, as its customer typed them again. The caller compares the e-mail address. */
export async function correctContact(queries: Db, order: Order, contact: Contact, at: number): Promise<Order> {
  if (order.state === 'paid' || isSameContact(order, contact)) return order;
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  return patchDetails(queries, order, { at, patch: { ...contact, contactHash: contactHashOf(order.id, contact) } });
}
