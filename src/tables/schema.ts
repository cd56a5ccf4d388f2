/** The tables of the core, identical in both databases, and those of the features. Times are milliseconds since 1970, amounts are centavos. */

import type { PayableOrdersTable, PaymentTables } from '@tianguis/payments';
import type { OutboxTable, Timestamps } from '@tianguis/payments/back-office';
import type { Centavos } from '@tianguis/payments/rules';
import type { Generated } from 'kysely';
import type { FeatureJobName, FeatureTables } from '../features/tables.js';
import type { AdminUserEventKind, Role, SignInResult } from '../shop/rules/admin-user.js';
import type { OrderLine } from '../shop/rules/cart.js';
import type { Contact } from '../shop/rules/contact.js';
import type { FrozenShipping } from '../shop/rules/frozen-shipping.js';
import type { FulfillmentState } from '../shop/rules/fulfillment.js';
import type { Locale } from '../shop/rules/locale.js';
import type { TaxRate, VariantAttribute } from '../shop/rules/product.js';
import type { SearchNames } from '../shop/rules/search-name.js';
import type { SettingsChangeKind } from '../shop/rules/shop-settings.js';

interface CartsTable extends Timestamps {
  id: string;
  version: number;
  /** The discount code that the customer entered. */
  discountCode: string | null;
}

export interface CartLinesTable {
  cartId: string;
  productId: string;
  quantity: number;
  seenPrice: Centavos;
  addedAt: number;
}

export interface ProductsTable {
  id: string;
  /** Unique, and fixed after creation. */
  slug: string;
  /** Display order. Unique. */
  position: number;
  /** Slug of the category's name in the first locale. */
  category: string;
  price: Centavos;
  /** The price that a sale price crosses out. Null: none. */
  priceBefore: Centavos | null;
  /** Grams. Null: unknown. */
  weightG: number | null;
  taxRate: TaxRate;
  /** Pieces on hand; null: unlimited. */
  stock: number | null;
  /** 1 or 0. */
  requiresShipping: number;
  /** 1 or 0: products that are not visible cannot be bought. */
  visible: number;
  /** 1 or 0: the catalog lists it before others. */
  featured: number;
  image: string;
  claveProdServ: string;
  claveUnidad: string;
  /** The main product of its group. Null: it is the main one, or has no group. */
  variantOf: string | null;
  /** In which the products of its group differ. Null: none is named. */
  variantAttribute: VariantAttribute | null;
  /** JSON: name, description, image text, category name and variant, each per locale. */
  texts: string;
  /** The words of all locales without accents and case, those of the name first. */
  searchText: string;
  /** Optimistic lock: each update increments it, except a sale, which changes the stock only. */
  version: number;
  updatedAt: number;
}

/** The words of names and categories by locale, to correct typing errors in a search. Those of deleted products stay. */
interface CatalogWordsTable {
  /** Without accents and case. */
  word: string;
  locale: Locale;
  spelling: string;
}

/** The words of all locales, for processes of earlier versions that run during an upgrade. */
interface ProductWordsTable {
  /** Without accents and case. */
  word: string;
  spelling: string;
}

/** The files of uploaded pictures: one JPEG and three WebP for each, with AVIF of the same pixels. */
export interface PicturesTable {
  /** SHA-256 of the largest file, in hexadecimal. */
  hash: string;
  /** One of `PICTURE_WIDTHS`, or 0 for the JPEG of link previews. */
  width: number;
  /** The last upload. A picture that no product has is deleted after a day. */
  storedAt: number;
  bytes: Uint8Array;
  /** `null` for a JPEG, a picture of an earlier version, and where AVIF would be larger or need too much memory. */
  avif: Generated<Uint8Array | null>;
}

/** The pictures of a product after its first, which is `products.image`. */
interface ProductPicturesTable {
  productId: string;
  position: number;
  /** As `products.image`. */
  image: string;
  /** JSON: the image text per locale. */
  texts: string;
}

/** The history of a product. */
interface ProductEventsTable {
  id: Generated<number>;
  productId: string;
  at: number;
  by: string;
  kind: 'created' | 'changed';
  /** JSON with the changed cells before and after. */
  detail: string;
}

export interface OrdersTable extends PayableOrdersTable, Contact, FrozenShipping {
  cartId: string;
  cartVersion: number;
  /** Hash of the contact as the customer submitted it. A session that holds it placed the order. */
  contactHash: string;
  locale: Locale;
  /** The code of its discount. Null: it has none, or the merchant gave it. */
  discountCode: string | null;
  /** Internal note of the merchant. Only the back office shows it. */
  note: string;
}

/** The name of an order from a further word on, for the search. See `furtherNames`. */
interface OrderNamesTable {
  orderId: string;
  /** That of the order. */
  createdAt: number;
  name: string;
}

interface ReminderTime {
  /** The worker decides about the reminder when its delay has passed since this time. Null: no reminder is due. */
  reminderFrom: number | null;
}

interface OrderLinesTable extends OrderLine {
  orderId: string;
  position: number;
}

/** What happens to the products of a paid order. Created when the order becomes paid. */
export interface FulfillmentsTable {
  orderId: string;
  attemptId: string;
  /** When the order became paid. */
  at: number;
  /** 1, or 0 if the order was paid late and its products were sold out. */
  stockTaken: number;
  state: FulfillmentState;
  /** The parcel. Null before it is shipped, and for an order that is not shipped. */
  carrier: string | null;
  trackingNumber: string | null;
  /** Optimistic lock: each update increments it. */
  version: number;
  updatedAt: number;
}

/** Stock set aside for an unpaid order. It counts until `expiresAt`. */
export interface ReservationsTable {
  orderId: string;
  productId: string;
  /** The cart of the order. Its own reservation does not reduce what a cart may have. */
  cartId: string;
  quantity: number;
  expiresAt: number;
  /** Hash of the client's IPv4 address or IPv6 /64 network; empty without rate limits. */
  addressKey: string;
  /** Hash of the client's IPv6 /48 network; empty for IPv4. */
  networkKey: string;
}

/** The outbox jobs of a paid order, and those of the features. */
export type JobName = 'receipt' | 'on_paid' | FeatureJobName;

interface SessionsTable {
  sid: string;
  data: string;
  expiresAt: number;
}

/** What customers typed into forms. */
interface TypedFormsTable {
  sid: string;
  /** Path of the page that shows the form. */
  page: string;
  /** JSON. */
  content: string;
  expiresAt: number;
}

export interface AdminUsersTable extends Timestamps {
  id: string;
  /** Unique without regard to case. */
  name: string;
  role: Role;
  /** scrypt with its parameters and salt. */
  passwordHash: string;
  /** Encrypted secret of the second factor; null: none. Earlier versions stored it in Base32. */
  totpSecret: string | null;
  /** Time step of the last accepted code: each code works once. */
  totpStep: number;
  disabledAt: number | null;
  /** A change ends the sessions of the user. */
  sessionVersion: number;
  /** Gets the links that set a password. */
  email: string | null;
  /** 1: another person has read the password, so the user must replace it after the sign-in. */
  mustChangePassword: number;
}

/** Unused recovery codes of second factors. Each works once. */
interface AdminRecoveryCodesTable {
  userId: string;
  /** SHA-256 of a code with 80 random bits. */
  hash: string;
}

/** Links that set the password of a user once. */
interface AdminLinksTable {
  /** SHA-256 of the secret part. */
  hash: string;
  userId: string;
  expiresAt: number;
}

/** History of the users. Holds no secret. */
export interface AdminUserEventsTable {
  id: Generated<number>;
  userId: string;
  at: number;
  /** Name of the admin user, or `command`. */
  by: string;
  kind: AdminUserEventKind;
  /** Former and new role, or an empty text. */
  roleBefore: Role | '';
  role: Role | '';
}

/** Sign-ins, also failed ones. */
export interface AdminSignInsTable {
  id: Generated<number>;
  /** null: there is no user with the typed name. */
  userId: string | null;
  at: number;
  result: SignInResult;
}

/** The changes of the settings of the shop. */
interface ShopSettingsChangesTable {
  /** 1, 2, 3 and so on. */
  version: number;
  kind: SettingsChangeKind;
  /** Name of the admin user, or `command`. */
  changedBy: string;
  changedAt: number;
}

/** The values that a change of the settings set. */
interface ShopSettingsValuesTable {
  version: number;
  name: string;
  /** JSON. `null`: the default. */
  value: string;
}

interface ShopOutboxTable extends OutboxTable {
  job: JobName;
}

export interface Schema extends PaymentTables, FeatureTables {
  outbox: ShopOutboxTable;
  products: ProductsTable;
  productEvents: ProductEventsTable;
  productWords: ProductWordsTable;
  catalogWords: CatalogWordsTable;
  pictures: PicturesTable;
  productPictures: ProductPicturesTable;
  carts: CartsTable;
  cartLines: CartLinesTable;
  orders: OrdersTable & SearchNames & ReminderTime;
  orderLines: OrderLinesTable;
  orderNames: OrderNamesTable;
  fulfillments: FulfillmentsTable;
  reservations: ReservationsTable;
  sessions: SessionsTable;
  typedForms: TypedFormsTable;
  adminUsers: AdminUsersTable;
  adminSignIns: AdminSignInsTable;
  adminRecoveryCodes: AdminRecoveryCodesTable;
  adminLinks: AdminLinksTable;
  adminUserEvents: AdminUserEventsTable;
  shopSettingsChanges: ShopSettingsChangesTable;
  shopSettingsValues: ShopSettingsValuesTable;
}
