import { CONTACT_FIELD_NAMES, CONTACT_FIELDS, type Contact, fullName } from '../shop/rules/contact.js';
import type { FactReader, FormField } from '../shop/rules/form-field.js';
import { type FrozenShipping, shippingKindOf } from '../shop/rules/frozen-shipping.js';
import { isDay, startOfDay } from '../shop/rules/mexico-day.js';
import { addressLines, phoneLine } from './address.js';
import { shippingLabel } from './frozen-shipping.js';
import type { I18n } from './i18n.js';

/**
 * Returns what pages and mails show of an order's customer, delivery and further fields. A fact that the order lacks has no lines.
 * Files have the columns of `CONTACT_FIELDS` instead, as they are stored.
 */
export function orderFacts(i18n: Pick<I18n, 't' | 'day'>, order: Contact & FrozenShipping, reader: FactReader) {
  const { t, day } = i18n;
  const { email, phone } = order;
  const address = addressLines(t, order);
  const isCustomer = reader === 'customer';
  // A customer pays a price as an order line. A free option has none.
  const free = isCustomer && order.shippingPrice === 0 ? [t('shipping.free')] : [];
  const shipping = [shippingLabel(t, order), ...free].join(' · ');
  return {
    name: { label: t('order.name'), lines: [fullName(order)] },
    email: { label: t('order.email'), lines: email === '' ? [] : [email] },
    /** That of a delivery is a line of its address. */
    phone: { label: t('fields.phone.label'), lines: address.length > 0 || phone === '' ? [] : [phoneLine(t, order)] },
    shipping: { label: t('order.shipping'), lines: isCustomer && shippingKindOf(order) === 'none' ? [] : [shipping] },
    address: { label: t('order.address'), lines: address },
    /** The fields of `CONTACT_FIELDS` that the reader sees beside these. */
    others: CONTACT_FIELD_NAMES.flatMap((name) => {
      const { type, shownTo }: FormField = CONTACT_FIELDS[name];
      const value = order[CONTACT_FIELDS[name].column];
      if (value === '' || !shownTo?.includes(reader)) return [];
      return [
        { label: t(`fields.${name}.label`), lines: [type === 'date' && isDay(value) ? day(startOfDay(value)) : value] },
      ];
    }),
  };
}
