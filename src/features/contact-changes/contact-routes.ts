import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import type { AdminOrderSection, OrderRecord } from '../../admin/order/order-record.js';
import { fullName, isErased } from '../../shop/rules/contact.js';
import { conflictOf, readForm } from '../../web/form.js';
import { fieldModels, isRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { type AdminAccess, contextOf, type RequestContext } from '../../web/request-context.js';
import { correctContact } from './correct-contact.js';
import { contactChangesPaths } from './paths.js';
import { findFormerContacts } from './repository.js';
import { personFields, personOf, storedTexts } from './rules.js';

/** Stores the corrected name, e-mail and phone of the customer. */
export async function saveContact(req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const order = await orderOf(res);
  const form = readForm(res, personFields(order));
  if (form.refused) return refuse(res, order, form.refused);
  const hasNewLink = form.values.customer_new_link;
  const request = { ...requestOf(req, res, order), person: personOf(form.values), hasNewLink };
  const result = await correctContact(checkout, request);
  if (result === 'changed') return refuse(res, order, conflictOf(form));
  checkout.log.info('order.contact_corrected', { order: order.number, to: result });
  answer(res, order, result);
}

/** Returns the form of the correction with the former contacts. Absent after an erasure, and for other users. */
export async function contactPart(
  { t, shortMoment, checkout }: RequestContext,
  { order, refused }: OrderRecord,
  { can }: AdminAccess,
): Promise<AdminOrderSection | undefined> {
  if (isErased(order) || !can(`POST ${contactChangesPaths.contact}`)) return undefined;
  const fields = personFields(order);
  const former = await findFormerContacts(checkout.db.queries, order.id);
  const model = {
    href: adminOrderPath(order),
    version: String(order.version),
    isOpen: isRefused(refused, fields),
    fields: fieldModels(t, fields, refused, storedTexts(order)),
    former: former.map(({ replacedAt, by, contact }) => ({
      replaced: t('contactChanges.replaced', { at: shortMoment(replacedAt), by }),
      text: [fullName(contact), contact.email, contact.phone].filter(Boolean).join(' · '),
    })),
  };
  return { view: '/contact-changes/views/contact', place: 'aside', model };
}
