import { readOrderNumber } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/admin-order.js';
import { type OrderRecord, typedField } from '../../admin/order-record.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { brand } from '../../locales/brand.js';
import { isErased, parsePhone } from '../../shop/rules/contact.js';
import { postedText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { eraseCustomer } from './erase-customer.js';
import { retentionPaths } from './paths.js';

/** Adds the erasure of a customer's data from the page of an order. */
export function addEraseRoutes(app: AdminRouter): void {
  app.post(retentionPaths.eraseCustomer, erase);
}

/** The user confirms with the number of the order, the customer's e-mail address or phone number. */
async function erase(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const confirmation = postedText(req, 'confirmation').trim();
  const isConfirmed =
    readOrderNumber(confirmation, brand.orderPrefix) === order.number ||
    (confirmation !== '' && confirmation.toLowerCase() === order.email.toLowerCase()) ||
    (order.phone !== '' && parsePhone(confirmation) === order.phone);
  if (!isConfirmed && !isErased(order)) {
    const message = contextOf(res).t('retention.eraseProblem', { number: order.number });
    return refuse(res, order, { typed: { confirmation }, errors: [{ field: 'confirmation', message }] });
  }
  answer(res, order, await eraseCustomer(contextOf(res).checkout, requestOf(req, res, order)));
}

/** Builds the form of the erasure. */
export function eraseForm({ order, refused }: OrderRecord) {
  return {
    orderHref: adminOrderPath(order),
    version: String(order.version),
    confirmation: typedField(refused, 'confirmation'),
  };
}
