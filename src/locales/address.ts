import { type Contact, readState } from '../domain/contact.js';
import type { Translate } from './translations.js';

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
    t('address.phone', { phone }),
    ...(deliveryNotes === '' ? [] : [t('address.notes', { notes: deliveryNotes })]),
  ];
}
