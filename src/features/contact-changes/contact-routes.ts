import type { Request, Response } from 'express';
import { answer, orderOf, requestOf, type SendOrder } from '../../admin/admin-order.js';
import { type AdminOrderSection, type OrderRecord, typedField } from '../../admin/order-record.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { fullName, isErased } from '../../shop/rules/contact.js';
import { fieldErrors } from '../../web/contact-fields.js';
import { postedText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { type AdminAccess, contextOf, type RequestContext } from '../../web/request-context.js';
import { correctContact } from './correct-contact.js';
import { contactChangesPaths } from './paths.js';
import { findFormerContacts } from './repository.js';
import { PERSON_FIELD_LIST, PERSON_FIELDS, type PersonField, readPerson, storedText } from './rules.js';

/** Adds the correction of the customer's name, e-mail and phone. */
export function addContactRoutes(app: AdminRouter, sendOrder: SendOrder): void {
  app.post(contactChangesPaths.contact, (req, res) => correct(req, res, sendOrder));
}

async function correct(req: Request, res: Response, sendOrder: SendOrder): Promise<void> {
  const { checkout } = contextOf(res);
  const order = await orderOf(res);
  const names = PERSON_FIELD_LIST.map((name) => [name, postedText(req, name)]);
  const person = Object.fromEntries(names) as Record<PersonField, string>;
  const typed = { ...person, customer_new_link: postedText(req, 'customer_new_link') };
  const reading = readPerson(person, order);
  if ('problems' in reading) {
    const found = fieldErrors(contextOf(res), reading, Object.values(PERSON_FIELDS));
    const errors = found.map(({ field, ...error }) => ({ ...error, field: `customer_${field}` }));
    return sendOrder(res, { typed, errors });
  }
  const hasNewLink = typed.customer_new_link !== '';
  const request = { ...requestOf(req, res, order), person: reading.person, hasNewLink };
  const result = await correctContact(checkout, request);
  if (result === 'changed') return sendOrder(res, { typed, errors: [] });
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
  const former = await findFormerContacts(checkout.db.queries, order.id);
  const model = {
    href: adminOrderPath(order),
    version: String(order.version),
    isOpen: refused?.typed['customer_email'] !== undefined,
    fields: PERSON_FIELD_LIST.map((name) => ({
      name,
      label: t(`fields.${PERSON_FIELDS[name]}.label`),
      ...typedField(refused, name, storedText(order, name)),
    })),
    hasNewLink: typedField(refused, 'customer_new_link').value !== '',
    former: former.map(({ replacedAt, by, contact }) => ({
      replaced: t('contactChanges.replaced', { at: shortMoment(replacedAt), by }),
      text: [fullName(contact), contact.email, contact.phone].filter(Boolean).join(' · '),
    })),
  };
  return { view: '/contact-changes/contact', place: 'aside', model };
}
