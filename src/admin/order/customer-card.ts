import { phoneText } from '../../locales/address.js';
import { fullName } from '../../shop/rules/contact.js';
import type { Order } from '../../tables/orders.js';

/** Returns the number with its country code. The Mexican ones of orders have none. */
function dialed(phone: string): string {
  return phone.startsWith('+') ? phone : `+52${phone}`;
}

/** Builds name and contact of an order's customer, with links that call and write. Absent after an erasure. */
export function customerCard({ email, phone, ...order }: Order) {
  const name = fullName(order);
  if (name === '' && email === '' && phone === '') return undefined;
  const links = { text: phoneText(phone), href: `tel:${dialed(phone)}`, whatsApp: whatsAppLink(phone) };
  return { name, email, phone: phone === '' ? undefined : links };
}

/** Returns the link that opens WhatsApp, with a text to send. Without a phone the user selects the receiver. */
export function whatsAppLink(phone: string, text = ''): string {
  const receiver = phone === '' ? '' : dialed(phone).slice(1);
  return `https://wa.me/${receiver}${text === '' ? '' : `?text=${encodeURIComponent(text)}`}`;
}
