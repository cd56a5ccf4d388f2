import type { AdminCommand } from '../admin/admin-command.js';
import type { HealthCard } from '../admin/health-card.js';
import type { AdminOrderSection, OrderRecord } from '../admin/order-record.js';
import type { AdminRoute } from '../admin/permissions.js';
import type { Db } from '../db/database.js';
import type { Order } from '../db/orders.js';
import type { JobName } from '../db/schema.js';
import type { I18n } from '../locales/i18n.js';
import type { SendToCustomer, SendToMerchant } from '../mail/mails.js';
import type { JobHandler, ShopLoop } from '../shop/context.js';
import type { OrderHooks } from '../shop/order-hooks.js';
import type { Section } from '../view-models/section.js';
import type { FootLink, WebContext } from '../web/context.js';
import type { OrderSection } from '../web/order-parts.js';
import type { AdminAccess, RequestContext } from '../web/request-context.js';
import type { Route } from '../web/route.js';
import type { CsvColumns, Provider } from '../web/services.js';
import type { OwnSettings, ShopSetting } from '../web/shop-setting.js';

/** What a feature adds to the shop. The core calls each member where it belongs. */
export interface Feature extends Provider, OrderHooks {
  /** Pages show what features add in this order. The numbers leave room for others. */
  readonly place: number;
  /** Its routes of the storefront, after those of the core. */
  routes?(web: WebContext): readonly Route[];
  /** What stands before the token in its links of mails, if that is not the path of the orders. */
  readonly linkPaths?: readonly string[];
  /** A link of the footer, before those to the pages of `content/`. */
  readonly footLink?: FootLink;
  /** Handlers of outbox jobs. A job whose name begins with `on_` runs the merchant's code, and others send mails. */
  jobs?(sendToCustomer: SendToCustomer, sendToMerchant: SendToMerchant): Readonly<Partial<Record<JobName, JobHandler>>>;
  /** Returns the keys of those outbox jobs of an order that its page in the back office shows. */
  orderJobKeys?(queries: Db, orderId: string): readonly string[] | Promise<readonly string[]>;
  /** Names of its rate limits, for the metrics. */
  readonly limits?: readonly string[];
  /** Fields whose forms show a possible card number as an error at the field. */
  readonly fieldsWithCardCheck?: readonly string[];
  /** What the merchant changes about it in the back office. */
  readonly shopSettings?: readonly ShopSetting[];
  /** What the merchant changes in forms of its own. */
  readonly ownSettings?: OwnSettings;
  /** Work that the worker repeats, each in a loop of its own. */
  readonly loops?: readonly ShopLoop[];
  /** Its pages return money. Without such a feature the shop behaves as with `REFUNDS=off`. */
  readonly offersRefunds?: true;
  /** Returns a section of the customer's order page. `isOwn`: the session owns the order. */
  orderSection?(context: RequestContext, order: Order, isOwn: boolean): Promise<OrderSection | undefined>;
  /** Its routes without session, and without the checks of limits and origin, such as probes and pictures. */
  probes?(web: WebContext): readonly Route[];
  /** Its routes of the back office, with their roles and links. */
  adminRoutes?(web: WebContext): readonly AdminRoute[];
  /** Commands of `npm run admin`, by name. */
  readonly adminCommands?: Readonly<Record<string, AdminCommand>>;
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
  /** Returns cards of the day's work, which begin the back office's overview. */
  workCards?(context: RequestContext, admin: AdminAccess): Promise<readonly HealthCard[]>;
  /** Returns a section of the back office's overview, if the user may read it. */
  overviewSection?(context: RequestContext, admin: AdminAccess): Promise<Section | undefined>;
}
