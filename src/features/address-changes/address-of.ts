import { ADDRESS_FIELD_NAMES, type Address, CONTACT_FIELDS } from '../../shop/rules/contact.js';

/** Returns the delivery address of an order, without its other columns. */
export function addressOf(order: Address): Address {
  return Object.fromEntries(
    ADDRESS_FIELD_NAMES.map((name) => CONTACT_FIELDS[name].column).map((column) => [column, order[column]]),
  ) as Address;
}
