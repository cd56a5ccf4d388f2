import type { AdminCommand } from '../admin/admin-command.js';
import type { AdminRoute } from '../admin/permissions.js';
import type { SendMail, SendToCustomer, SendToMerchant } from '../mail/mails.js';
import type { OwnSettings, ShopSetting } from '../settings/shop-setting.js';
import type { JobHandler, ShopLoop } from '../shop/checkout-context.js';
import type { OrderHooks } from '../shop/order-hooks.js';
import type { FormField } from '../shop/rules/form-field.js';
import type { Db } from '../tables/database.js';
import type { JobName } from '../tables/schema.js';
import type { Field } from '../web/form.js';
import type { Route } from '../web/route.js';
import type { CsvColumns, Provider } from '../web/services.js';
import type { Slots } from '../web/slots.js';
import type { FootLink, WebContext } from '../web/web-context.js';

/** What a feature adds to the shop. The core calls each member where it belongs. */
export interface Feature extends Provider, OrderHooks {
  /** Pages show what features add in this order. The numbers leave room for others. Equal ones are in the order of names. The first link of a page is its main button. */
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
  /**
   * The fields of its declared forms, which show a possible card number as an error at the field. Another form that has a field of the same name
   * checks it itself.
   */
  readonly forms?: readonly Readonly<Record<string, Field<unknown> | FormField>>[];
  /** Fields that no declared form has, and whose own form shows such an error. */
  readonly fieldsWithCardCheck?: readonly string[];
  /** What the merchant changes about it in the back office. */
  readonly shopSettings?: readonly ShopSetting[];
  /** What the merchant changes in forms of its own. */
  readonly ownSettings?: OwnSettings;
  /** Work that the worker repeats, each in a loop of its own. `sendMail`: for mails that belong to no order. */
  loops?(sendMail: SendMail): readonly ShopLoop[];
  /** Its pages return money. Without such a feature the shop behaves as with `REFUNDS=off`. */
  readonly offersRefunds?: true;
  /** What it adds to pages, by slot. */
  readonly slots?: Slots;
  /** Its routes without session, and without the checks of limits and origin, such as probes and pictures. */
  probes?(web: WebContext): readonly Route[];
  /** Its routes of the back office, with their roles and links. */
  adminRoutes?(web: WebContext): readonly AdminRoute[];
  /** Commands of `npm run admin`, by name. */
  readonly adminCommands?: Readonly<Record<string, AdminCommand>>;
  /** Columns of the CSV export of orders, after those of the core. */
  readonly csvColumns?: CsvColumns;
}
