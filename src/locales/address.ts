import { type Contact, readState } from '../domain/contact.js';
import type { Translate } from './translations.js';

/** Ten digits. Mexico City, Guadalajara and Monterrey have area codes of two digits. */
const PHONE_GROUPS = /^(55|56|33|81|\d{3})(\d{3,4})(\d{4})$/;

/** Returns the delivery address as lines, with phone and notes. Empty if the order has none. */
export function addressLines(t: Translate, contact: Contact): readonly string[] {
  const { street, interiorNumber, neighborhood, municipality, postalCode, phone, deliveryNotes } = contact;
  if (street === '') return [];
  const code = readState(contact.deliveryState);
  const state = code ? t(`mexicanStates.${code}`) : contact.deliveryState;
  return [
    interiorNumber === '' ? street : `${street}, ${t('address.interior', { number: interiorNumber })}`,
    neighborhood,
    t('address.place', { postalCode, municipality, state }),
    t('address.phone', { phone: phone.replace(PHONE_GROUPS, '$1 $2 $3') }),
    ...(deliveryNotes === '' ? [] : [t('address.notes', { notes: deliveryNotes })]),
  ];
}
