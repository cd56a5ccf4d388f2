/** The places of pages to which features add. */
import type { Response } from 'express';
import type { HealthCard } from '../admin/health-card.js';
import type { AdminOrderSection, OrderRecord } from '../admin/order/order-record.js';
import type { OfferedProduct } from '../shop/rules/product.js';
import type { Order } from '../tables/orders.js';
import type { StoredProduct } from '../tables/product-changes.js';
import type { OrderSection } from './order/order-parts.js';
import { contextOf } from './request-context.js';
import type { Section } from './section.js';

/** The slots by name: what the page is about, and what a feature shows there. */
interface SlotTypes {
  /**
   * The product page of the storefront, below "sold out". The page is cached for customers without a cookie. A form that was
   * refused is stored under `productPath(product)`: then the page has its status, and is not cached.
   */
  'product.sold-out': { about: [product: OfferedProduct]; shows: Section };
  /** The customer's order page. `isOwn`: the session owns the order. */
  'order.page': { about: [order: Order, isOwn: boolean]; shows: OrderSection };
  /** The back office's order page. With `record.refused`, a form of it was not accepted. */
  'admin-order.section': { about: [record: OrderRecord]; shows: AdminOrderSection };
  /** The actions of the back office's order page. */
  'admin-order.action': { about: [record: OrderRecord]; shows: Section };
  /** The cards of the day's work, which begin the back office's overview. */
  'overview.work': { about: []; shows: HealthCard };
  /** The rest of the back office's overview. */
  'overview.section': { about: []; shows: Section };
  /** The list of products in the back office: texts below the names of these products, by id. */
  'products.row': { about: [products: readonly StoredProduct[]]; shows: ReadonlyMap<string, string> };
}

export type SlotName = keyof SlotTypes;
type Shown<Name extends SlotName> = SlotTypes[Name]['shows'];
type Fill<Name extends SlotName> = (
  res: Response,
  ...about: SlotTypes[Name]['about']
) => MaybePromise<Shown<Name> | readonly Shown<Name>[] | undefined>;
type MaybePromise<T> = T | Promise<T>;

/** What a feature adds to pages: functions that return nothing where the feature has nothing to show. */
export type Slots = { readonly [Name in SlotName]?: Fill<Name> };

/** Returns what the features show in the slot, in the order of their `place`. */
export async function fillSlot<Name extends SlotName>(
  res: Response,
  name: Name,
  ...about: SlotTypes[Name]['about']
): Promise<readonly Shown<Name>[]> {
  const slots = contextOf(res).slots as readonly Slots[];
  const shown = await Promise.all(slots.map((each) => each[name]?.(res, ...about)));
  return shown.flatMap((each) => each ?? []);
}
