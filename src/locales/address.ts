import { type Address, type Contact, readState } from '../shop/rules/contact.js';
import type { Translate } from './translations.js';

/** Ten digits. Mexico City, Guadalajara and Monterrey have area codes of two digits. */
const PHONE_GROUPS = /^(55|56|33|81|\d{3})(\d{3,4})(\d{4})$/;

/** Returns a phone number of ten digits in groups. One from another country stays as it is. */
export function phoneText(phone: string): string {
  return phone.replace(PHONE_GROUPS, '$1 $2 $3');
}

/** Returns the delivery address as lines, with phone and notes. Empty if the order has none. */
export function addressLines(t: Translate, contact: Address): readonly string[] {
  const { street, interiorNumber, neighborhood, municipality, postalCode, deliveryNotes } = contact;
  if (street === '') return [];
  const state = stateName(t, contact);
  return [
    interiorNumber === '' ? street : `${street}, ${t('address.interior', { number: interiorNumber })}`,
    neighborhood,
    t('address.place', { postalCode, municipality, state }),
    ...(contact.phone === '' ? [] : [phoneLine(t, contact)]),
    ...(deliveryNotes === '' ? [] : [t('address.notes', { notes: deliveryNotes })]),
  ];
}

export function phoneLine(t: Translate, { phone }: Pick<Contact, 'phone'>): string {
  return t('address.phone', { phone: phoneText(phone) });
}

/** Returns the name of the delivery state. */
export function stateName(t: Translate, { deliveryState }: Pick<Address, 'deliveryState'>): string {
  const code = readState(deliveryState);
  return code ? t(`mexicanStates.${code}`) : deliveryState;
}
