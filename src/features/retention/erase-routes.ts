import { readOrderNumber } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import type { OrderRecord } from '../../admin/order/order-record.js';
import { brand } from '../../locales/brand.js';
import type { I18n } from '../../locales/i18n.js';
import { isErased, parsePhone } from '../../shop/rules/contact.js';
import type { Order } from '../../tables/orders.js';
import { type FormFields, readForm } from '../../web/form.js';
import { fieldModels, isRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { eraseCustomer } from './erase-customer.js';

/** The user confirms with the number of the order, the customer's e-mail address or phone number. */
function confirmationFields({ number, email, phone, firstName }: Order) {
  const isConfirmation = (typed: string) =>
    readOrderNumber(typed, brand.orderPrefix) === number ||
    (typed !== '' && typed.toLowerCase() === email.toLowerCase()) ||
    (phone !== '' && parsePhone(typed) === phone);
  return {
    confirmation: {
      label: 'retention.eraseConfirmation',
      autocapitalize: 'none',
      parse: (typed) => isErased({ firstName }) || isConfirmation(typed) || undefined,
      problem: (t) => t('retention.eraseProblem', { number }),
    },
  } as const satisfies FormFields;
}

/** Erases the personal data of the customer of an order, after a confirmation. */
export async function eraseData(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const form = readForm(res, confirmationFields(order));
  if (form.refused) return refuse(res, order, form.refused);
  answer(res, order, await eraseCustomer(contextOf(res).checkout, requestOf(req, res, order)));
}

/** Builds the form of the erasure. */
export function eraseForm({ t }: I18n, { order, refused }: OrderRecord) {
  const fields = confirmationFields(order);
  return {
    orderHref: adminOrderPath(order),
    version: String(order.version),
    isOpen: isRefused(refused, fields),
    fields: fieldModels(t, fields, refused),
  };
}
