import type { IRouter, Response } from 'express';
import type { SendOrder } from '../admin/admin-order.js';
import type { HealthCard } from '../admin/health-card.js';
import type { AdminOrderSection, OrderRecord } from '../admin/order-record.js';
import type { AdminRouter } from '../admin/permissions.js';
import type { Config } from '../config/config.js';
import type { Db } from '../db/database.js';
import type { Order } from '../db/orders.js';
import type { JobName } from '../db/schema.js';
import type { OrderFilter } from '../db/search-orders.js';
import type { I18n } from '../locales/i18n.js';
import type { Translate } from '../locales/translations.js';
import type { SendToCustomer, SendToMerchant } from '../mail/mails.js';
import type { Clock } from '../payments/index.js';
import type { PaymentFlow } from '../payments/rules/index.js';
import type { Eraser, JobHandler, ShopLoop } from '../shop/context.js';
import type { Observer } from '../shop/observer.js';
import type { EventLog } from '../shop/rules/event-log.js';
import type { FulfillmentFilter } from '../shop/rules/fulfillment.js';
import type { Section } from '../view-models/section.js';
import type { Tone } from '../view-models/tone.js';
import type { FootLink, WebContext } from '../web/context.js';
import type { OrderSection } from '../web/order-parts.js';
import type { AdminAccess, RequestContext } from '../web/request-context.js';

export interface ObserverOptions {
  readonly config: Pick<Config, 'orderTtlMs'>;
  readonly queries: Db;
  readonly clock: Clock;
  readonly log: EventLog;
}

export interface CsvColumns {
  headings(t: Translate): readonly string[];
  /** Returns the cells of these orders by order id. An order without cells may be absent. */
  readCells(queries: Db, orderIds: readonly string[], t: Translate): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** A column and a filter of the back office's list of orders, and a form for the orders that the user selects in it. */
export interface FulfillmentList {
  /** Label of the column and of the filter. */
  label(t: Translate): string;
  /** Values of the filter with their labels. */
  filters(t: Translate): readonly { readonly value: FulfillmentFilter; readonly label: string }[];
  /** Returns the cells of these orders by order id. An order that was never paid is absent. */
  readCells(context: RequestContext, orders: readonly Order[]): Promise<ReadonlyMap<string, FulfillmentCell>>;
  /** Returns the form `selected-orders`. Its fields `number` are in the rows that `isSelectable` allows. */
  selectionForm(admin: AdminAccess): Section | undefined;
}

export interface FulfillmentCell {
  readonly text: string;
  readonly tone: Tone;
  readonly isSelectable: boolean;
  /** How the customer gets the goods. Absent: nothing is shipped. */
  readonly delivery?: string | undefined;
}

/** What a feature adds to the shop. The core calls each member where it belongs. */
export interface Feature {
  /** Adds routes of the storefront, after those of the core. */
  addRoutes?(app: IRouter, web: WebContext): void;
  /** A link of the footer, before those to the pages of `content/`. */
  readonly footLink?: FootLink;
  /** Data of public pages for search engines. At most one feature has it. */
  readonly seo?: WebContext['seo'];
  /** Returns the path of the page that pays an unpaid order now, by this flow. At most one feature has it. */
  payPath?(order: Order, at: number, flow?: PaymentFlow): string | undefined;
  /** Handlers of outbox jobs. A job whose name begins with `on_` runs the merchant's code, and others send mails. */
  jobs?(sendToCustomer: SendToCustomer, sendToMerchant: SendToMerchant): Readonly<Partial<Record<JobName, JobHandler>>>;
  /** Work that the worker repeats, each in a loop of its own. */
  readonly loops?: readonly ShopLoop[];
  /** Removes the personal data of orders that the feature holds in tables of its own. */
  readonly erase?: Eraser;
  /** Its pages return money. Without such a feature the shop behaves as with `REFUNDS=off`. */
  readonly offersRefunds?: true;
  /** Returns a section of the customer's order page. `isOwn`: the session owns the order. */
  orderSection?(context: RequestContext, order: Order, isOwn: boolean): Promise<OrderSection | undefined>;
  /** Adds routes without session, and without the checks of limits and origin, such as probes and pictures. */
  addProbes?(app: IRouter, web: WebContext): void;
  /** Creates the observer of one shop. At most one feature has it. */
  createObserver?(options: ObserverOptions): Observer;
  /**
   * Adds routes of the back office. Each needs an entry in `src/admin/permissions.ts`. `sendOrder` redirects to the
   * order page with a form that was not accepted.
   */
  addAdminRoutes?(app: AdminRouter, sendOrder: SendOrder, web: WebContext): void;
  /** Returns a section of the back office's order page. With `record.refused`, its form was not accepted. */
  adminOrderSection?(
    context: RequestContext,
    record: OrderRecord,
    admin: AdminAccess,
  ): Promise<AdminOrderSection | undefined>;
  /** Returns an action of the back office's order page. With `record.refused`, its form was not accepted. */
  adminOrderAction?(i18n: I18n, record: OrderRecord, admin: AdminAccess): Section | undefined;
  /** Columns of the CSV export of orders, after those of the core. */
  readonly csvColumns?: CsvColumns;
  /** Sends the orders of the back office's list as CSV, with the columns of the features. At most one feature has it. */
  exportOrders?(res: Response, filter: OrderFilter, columns: readonly CsvColumns[]): Promise<void>;
  /** Returns cards of the day's work, which begin the back office's overview. */
  workCards?(context: RequestContext, admin: AdminAccess): Promise<readonly HealthCard[]>;
  /** Returns a section of the back office's overview, if the user may read it. */
  overviewSection?(context: RequestContext, admin: AdminAccess): Promise<Section | undefined>;
  /** The fulfillment in the back office's list of orders. At most one feature has it. */
  readonly fulfillmentList?: FulfillmentList;
}
