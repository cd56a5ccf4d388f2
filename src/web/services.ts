import type { WebhookAnswer } from '@tianguis/payments/operations';
import type { Clock } from '@tianguis/payments/rules';
import type { IRouter, Request, Response } from 'express';
import type { Config } from '../config/config.js';
import type { ContentPage } from '../content/content-pages.js';
import type { I18n } from '../locales/i18n.js';
import type { MessageKey } from '../locales/message-keys.js';
import type { Translate } from '../locales/translations.js';
import type { CheckoutContext } from '../shop/checkout-context.js';
import type { DiscountCodes } from '../shop/discount-codes.js';
import type { Observer } from '../shop/observer.js';
import type { Role } from '../shop/rules/admin-user.js';
import type { PricedCart } from '../shop/rules/cart.js';
import type { EventLog } from '../shop/rules/event-log.js';
import type { FulfillmentFilter } from '../shop/rules/fulfillment.js';
import type { OfferedProduct, Product } from '../shop/rules/product.js';
import type { AdminUser } from '../tables/admin-users.js';
import type { Db } from '../tables/database.js';
import type { Order } from '../tables/orders.js';
import type { StoredProduct } from '../tables/product-changes.js';
import type { OrderFilter } from '../tables/search-orders.js';
import type { FieldError } from './field-error.js';
import type { FlowPages } from './flow-pages.js';
import type { Link, PublicPage } from './public-page.js';
import type { Section } from './section.js';
import type { Tone } from './tone.js';

/** What exactly one feature provides to the core. Without that feature the member is absent, and the core works without it. */
export interface Services {
  /** Creates the observer of one shop. */
  createObserver?(options: ObserverOptions): Observer;
  /** Returns what counts the answers to webhooks. Each start of a process calls it, and the count begins then. */
  createWebhookCounter?(checkout: CheckoutContext): (answer: WebhookAnswer) => void;
  /** Returns warnings about files of pictures below a directory. */
  pictureWarnings?(images: readonly string[], publicDirectory: string): Promise<readonly string[]>;
  readonly newPictures?: NewPictures;
  readonly productEditor?: ProductEditor;
  readonly underpricedOrders?: UnderpricedOrders;
  readonly discountCodes?: DiscountCodes;
  /** Creates the field of the cart for a discount code. */
  createCartCode?(web: LimitingContext): CartCodeField;
  /** Scripts of the pages that ask for a delivery address, as paths below `public/`. */
  readonly addressScripts?: readonly string[];
  /** Returns the path of the page that pays an unpaid order now, by this flow. */
  payPath?(order: Order, at: number, flow?: FlowPages): string | undefined;
  /** Returns the id of the order whose link had this token before the merchant gave it a new one. */
  findIdByFormerToken?(queries: Db, token: string): Promise<string | undefined>;
  /** Returns whether an admin user replaced this e-mail address in one of these orders. Forms ask before they use it again. */
  isFormerEmail?(queries: Db, orderIds: readonly string[], email: string): Promise<boolean>;
  /** Data for search engines and link previews. */
  readonly seo?: Seo;
  readonly orderExport?: OrderExport;
  /** The pages of the back office that a user with a first password may open. The first has the form for a new one. */
  readonly newPasswordPages?: readonly [string, ...string[]];
  /** The page of the sign-in that mails a link for a new password. */
  readonly forgottenPassword?: { readonly path: string; label(t: Translate): string };
  /** The roles that new users of the back office may have. Without them each new user is a manager. */
  readonly roles?: readonly Role[];
  /** The second step of the sign-in. Without it, users with a second factor cannot sign in. */
  readonly secondFactor?: SecondFactor;
  /** The form of a page of `content/` in the back office. `route` names its permissions. */
  readonly contentForm?: { readonly route: string; path(page: Pick<ContentPage, 'locale' | 'slug'>): string };
  /** The fulfillment in the back office's list of orders. */
  readonly fulfillmentList?: FulfillmentList;
  /** Returns what the page of the settings shows of the file of all settings, with the errors of the last import. */
  settingsFilePart?(i18n: I18n, errors: readonly FieldError[]): SettingsFilePart;
}

/** The main product and its variants, or one product without a group. */
export type ProductGroup = readonly [main: StoredProduct, ...variants: StoredProduct[]];

/** The products in the form of a product's page. */
export interface ShownGroup {
  readonly shown: ProductGroup;
  readonly isGroup: boolean;
  /** Place of the product of the page in `shown`. */
  readonly place: number;
}

/** Unpaid orders with a lower price than the present one, on the pages of products in the back office. */
export interface UnderpricedOrders {
  /** Returns the section about these products, unless no such order is open or the user may not end it. */
  section(res: Response, products: readonly StoredProduct[], page: 'product' | 'list'): Promise<Section | undefined>;
  /** Returns the result of the last action, from the query string. */
  endedText(res: Response): string | undefined;
}

/** The form of all members of a product in the back office. Without it, the page of a product edits its row only. */
export interface ProductEditor {
  /** Returns the form of the page of a product. */
  form(res: Response, group: ShownGroup): Promise<ProductEditorForm>;
  /** Saves the posted form and redirects to its page. */
  save(req: Request, res: Response): Promise<void>;
  /** Returns the text of a result in the query string of the page of a product, or of the list, or `undefined`. */
  resultText(i18n: I18n, result: string, product?: Product): string | undefined;
}

export interface ProductEditorForm {
  /** The rows of src/features/products/views/rows.ejs. */
  readonly rows: readonly object[];
  /** The rest of the form. */
  readonly section: Section;
  /** Below the page: what else the user may do with the product. */
  readonly actions: Section;
  readonly errors: readonly FieldError[];
}

/** A posted file, or why it was not read. `busy`: too many others are being read. */
export type PostedPicture = Buffer | 'too_big' | 'empty' | 'busy';

/** The pictures in the form of a new product in the back office. */
export interface NewPictures {
  /** Scripts of the page, as paths below `public/`. */
  readonly scripts: readonly string[];
  /** Returns the field `file`, the last one of the form. `wasChosen`: browsers do not restore it, so it must be chosen again. */
  field(i18n: I18n, wasChosen: boolean): Section;
  /** Reads the form with its file, and calls `work`. */
  receive(res: Response, work: (file?: PostedPicture) => Promise<void>): Promise<void>;
  /** Adds the first picture to a product that was just created. Redirects to its pictures, with what is wrong with this one. */
  addFirst(res: Response, id: string, posted: PostedPicture): Promise<void>;
}

/** What a rate limit is made of. */
export interface LimitingContext {
  readonly checkout: CheckoutContext;
  readonly config: Pick<Config, 'rateLimit'>;
}

export interface ObserverOptions {
  readonly config: Pick<Config, 'orderTtlMs'>;
  readonly queries: Db;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Names of all rate limits. */
  readonly limits: readonly string[];
  /** Names of all outbox jobs. */
  readonly jobs: readonly string[];
}

/** The field of the cart for a discount code. */
export interface CartCodeField {
  /** Stores a posted code in the cart of the session, or removes the present one. Returns why it was refused, or `undefined`. */
  apply(res: Response, posted: unknown): Promise<RefusedCode | undefined>;
  /** Returns the section of the cart's page. `refused`: what the last POST did not accept. */
  section(i18n: I18n, priced: PricedCart, refused: RefusedCode | undefined): Section;
}

export interface RefusedCode {
  readonly status: number;
  readonly typed: string;
  readonly message: string;
}

export interface Seo {
  /** Returns the model of the head of a public page. */
  head(res: Response, page: PublicPage): object;
  /** Returns the variants of a group, or its only product, as JSON for a data block in HTML. */
  productData(res: Response, variants: readonly OfferedProduct[], breadcrumb: readonly Link[]): string;
}

/** Completes the sign-in of a user whose password, and code if needed, is correct. */
export type CompleteSignIn = (req: Request, res: Response, user: AdminUser) => Promise<void>;

export interface SecondFactor {
  /** The path of the page that asks for a code, after the password. */
  readonly codePage: string;
  /** Adds this page. It calls `signIn` after a correct code. */
  addCodePage(app: IRouter, checkout: CheckoutContext, signIn: CompleteSignIn): void;
  /** Encrypts stored secrets with the newest session secret. Each start of a process calls it. */
  sealStoredSecrets(queries: Db, sessionSecrets: readonly [string, ...string[]]): Promise<void>;
}

/** A file of the orders in the back office's list, as a link below the list. */
export interface OrderExport {
  /** The list adds its filters to the link. */
  readonly path: `/admin${string}`;
  readonly roles: readonly Role[];
  label(t: Translate): string;
  hint(t: Translate): string;
  /** Sends the orders with the columns of the features. */
  send(res: Response, filter: OrderFilter, columns: readonly CsvColumns[]): Promise<void>;
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
  readCells(context: ListContext, orders: readonly Order[]): Promise<ReadonlyMap<string, FulfillmentCell>>;
  /** Returns the form `selected-orders`, if the user may use it. Its fields `number` are in the rows that `isSelectable` allows. */
  selectionForm(can: (route: string) => boolean): Section | undefined;
}

/** What the cells need of the context of the request. */
export interface ListContext extends I18n {
  readonly checkout: CheckoutContext;
}

export interface FulfillmentCell {
  readonly text: string;
  readonly tone: Tone;
  readonly isSelectable: boolean;
  /** How the customer gets the goods. Absent: nothing is shipped. */
  readonly delivery?: string | undefined;
}

/** The answer to the last import of a file of settings, and the form for the next one. */
export interface SettingsFilePart {
  /** The messages by the names of results. */
  readonly results: Readonly<Record<string, MessageKey>>;
  /** What is wrong in a refused file. */
  readonly problems: Section | undefined;
  readonly form: Section;
}

/** A feature, as far as services depend on it. */
export interface Provider {
  /** The name of its folder. */
  readonly name: string;
  /** Names of features without which it cannot work. The shop does not start without them. */
  readonly needs?: readonly string[];
  /** What only this feature provides. */
  readonly provides?: Services;
}

/** Returns what all features provide. Throws if one needs a feature that is absent, or if two provide the same. */
export function mergeServices(features: readonly Provider[]): Services {
  const merged: Services = {};
  for (const { name, needs = [], provides = {} } of features) {
    const absent = needs.find((need) => !features.some((each) => each.name === need));
    if (absent)
      throw new Error(`the feature ${name} needs the feature ${absent}, which is not in src/features/index.ts`);
    const taken = Object.keys(provides).find((service) => service in merged);
    if (taken) throw new Error(`the feature ${name} provides ${taken}, as another feature does`);
    Object.assign(merged, provides);
  }
  return merged;
}
