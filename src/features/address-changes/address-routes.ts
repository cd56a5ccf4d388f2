import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import { type OrderRecord, typedField } from '../../admin/order/order-record.js';
import { addressLines } from '../../locales/address.js';
import type { I18n } from '../../locales/i18n.js';
import { ADDRESS_FIELD_NAMES, CONTACT_FIELDS, readContact } from '../../shop/rules/contact.js';
import { typedTexts } from '../../web/checkout-form.js';
import { contactFields, fieldErrors } from '../../web/contact-fields.js';
import { fieldsOf } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { correctAddress, mayCorrectAddress } from './correct-address.js';
import { findFormerAddresses } from './repository.js';

/** Stores the corrected delivery address of an order. */
export async function saveAddress(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const fields = fieldsOf(req);
  const result = readContact(fields, ADDRESS_FIELD_NAMES);
  if (!result.ok) {
    const typed = { values: typedTexts(fields), problems: result.problems };
    const errors = fieldErrors(contextOf(res), typed, ADDRESS_FIELD_NAMES);
    return refuse(res, order, { typed: typed.values, errors, status: 422 });
  }
  const context = contextOf(res).checkout;
  const correction = { ...requestOf(req, res, order), address: result.contact };
  const outcome = await correctAddress(context, correction);
  if (outcome === 'changed') return refuse(res, order, { typed: typedTexts(fields), errors: [], status: 409 });
  context.log.info('order.address_corrected', { order: order.number, to: outcome });
  answer(res, order, outcome === 'address_corrected' ? outcome : `address_${outcome}`);
}

/** Builds the form of the correction, and the former addresses. */
export async function addressPart(context: RequestContext, record: OrderRecord, mayCorrect: boolean) {
  const { t, shortMoment, checkout } = context;
  const { order } = record;
  const former = await findFormerAddresses(checkout.db.queries, order.id);
  return {
    href: adminOrderPath(order),
    version: String(order.version),
    fields: mayCorrect && mayCorrectAddress(order, record.fulfillment) ? addressFields(context, record) : [],
    formerAddresses: former.map(({ replacedAt, by, address }) => ({
      replaced: t('addressChanges.replaced', { at: shortMoment(replacedAt), by }),
      lines: addressLines(t, { ...order, ...address }),
    })),
  };
}

function addressFields(i18n: I18n, { order, refused }: OrderRecord) {
  const stored = ADDRESS_FIELD_NAMES.map((name) => [name, order[CONTACT_FIELDS[name].column]]);
  const values = { ...Object.fromEntries(stored), ...refused?.typed };
  return contactFields(i18n, { values, problems: {} }, ADDRESS_FIELD_NAMES).map((field) => ({
    ...field,
    error: typedField(refused, field.name).error,
  }));
}
