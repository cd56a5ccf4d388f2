import type { Order } from '../db/orders.js';
import { phoneText } from '../locales/address.js';

/** Country code of Mexico. The phone numbers of orders have none. */
const COUNTRY_CODE = '52';

/** Builds name and contact of an order's customer, with links that call and write. Absent after an erasure. */
export function customerCard({ firstName, lastName, email, phone }: Order) {
  const name = `${firstName} ${lastName}`.trim();
  if (name === '' && email === '' && phone === '') return undefined;
  const links = { text: phoneText(phone), href: `tel:+${COUNTRY_CODE}${phone}`, whatsApp: whatsAppLink(phone) };
  return { name, email, phone: phone === '' ? undefined : links };
}

/** Returns the link that opens WhatsApp, with a text to send. Without a phone the user selects the receiver. */
export function whatsAppLink(phone: string, text = ''): string {
  const receiver = phone === '' ? '' : `${COUNTRY_CODE}${phone}`;
  return `https://wa.me/${receiver}${text === '' ? '' : `?text=${encodeURIComponent(text)}`}`;
}
