import type { Migration } from 'kysely';
import { initial } from './0001-initial.js';
import { gatewayFacts } from './2026-11-23-gateway-facts.js';
import { reservationNetworks } from './2026-11-23-reservation-networks.js';
import { customerData } from './2026-11-24-customer-data.js';
import { unchangedCarts } from './2026-11-24-unchanged-carts.js';
import { orderNotes } from './2026-11-25-order-notes.js';
import { orderSearch } from './2026-11-25-order-search.js';
import { orderSearchStarts } from './2026-11-25-order-search-starts.js';
import { payableOrders } from './2026-11-25-payable-orders.js';
import { remindedMailboxes } from './2026-11-25-reminded-mailboxes.js';
import { catalogOrder } from './2026-11-26-catalog-order.js';
import { discountCodes } from './2026-11-26-discount-codes.js';
import { lineDiscounts } from './2026-11-26-line-discounts.js';
import { postalCodes } from './2026-11-26-postal-codes.js';
import { priceBefore } from './2026-11-26-price-before.js';
import { reminderTimes } from './2026-11-26-reminder-times.js';
import { fewPieces } from './2026-11-27-few-pieces.js';
import { formerContacts } from './2026-11-27-former-contacts.js';
import { formerLinks } from './2026-11-27-former-links.js';
import { frozenShipping } from './2026-11-27-frozen-shipping.js';
import { issuedInvoices } from './2026-11-27-issued-invoices.js';
import { pictures } from './2026-11-27-pictures.js';
import { avifPictures } from './2026-11-27-pictures-avif.js';
import { productWeight } from './2026-11-27-product-weight.js';
import { shopSettings } from './2026-11-27-shop-settings.js';
import { telephoneOrders } from './2026-11-27-telephone-orders.js';
import { catalogWords } from './2026-11-28-catalog-words.js';
import { productVariants } from './2026-11-28-product-variants.js';
import { variantAttribute } from './2026-11-28-variant-attribute.js';
import { adminAccounts } from './2026-11-29-admin-accounts.js';
import { dayWork } from './2026-11-30-day-work.js';
import { typedForms } from './2026-12-02-typed-forms.js';

/** The program's migrations by name. Each runs once, in order of name. Never change a released migration. */
export const programMigrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '2026-11-23-gateway-facts': gatewayFacts,
  '2026-11-23-reservation-networks': reservationNetworks,
  '2026-11-24-customer-data': customerData,
  '2026-11-24-unchanged-carts': unchangedCarts,
  '2026-11-25-order-notes': orderNotes,
  '2026-11-25-order-search': orderSearch,
  '2026-11-25-order-search-starts': orderSearchStarts,
  '2026-11-25-payable-orders': payableOrders,
  '2026-11-25-reminded-mailboxes': remindedMailboxes,
  '2026-11-26-catalog-order': catalogOrder,
  '2026-11-26-discount-codes': discountCodes,
  '2026-11-26-line-discounts': lineDiscounts,
  '2026-11-26-postal-codes': postalCodes,
  '2026-11-26-price-before': priceBefore,
  '2026-11-26-reminder-times': reminderTimes,
  '2026-11-27-few-pieces': fewPieces,
  '2026-11-27-former-contacts': formerContacts,
  '2026-11-27-former-links': formerLinks,
  '2026-11-27-frozen-shipping': frozenShipping,
  '2026-11-27-issued-invoices': issuedInvoices,
  '2026-11-27-pictures': pictures,
  '2026-11-27-pictures-avif': avifPictures,
  '2026-11-27-product-weight': productWeight,
  '2026-11-27-shop-settings': shopSettings,
  '2026-11-27-telephone-orders': telephoneOrders,
  '2026-11-28-catalog-words': catalogWords,
  '2026-11-28-product-variants': productVariants,
  '2026-11-28-variant-attribute': variantAttribute,
  '2026-11-29-admin-accounts': adminAccounts,
  '2026-11-30-day-work': dayWork,
  '2026-12-02-typed-forms': typedForms,
};
