import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ejs, { type TemplateFunction } from 'ejs';
import type { Translate } from '../words/translations.js';
import type {
  DeskOrderPage,
  DeskOrdersPage,
  DeskOverviewPage,
  DeskSignInPage,
} from './desk/desk-view-models.js';
import type {
  CardCheckoutPage,
  CartPage,
  CataloguePage,
  CheckoutPage,
  FindOrderPage,
  Layout,
  OrderPage,
  ProblemPage,
  ProductPage,
} from './view-models.js';

/** Each view with the model it is given. */
export interface ViewModels {
  catalogue: CataloguePage;
  product: ProductPage;
  cart: CartPage;
  checkout: CheckoutPage;
  'checkout-card': CardCheckoutPage;
  order: OrderPage;
  'find-order': FindOrderPage;
  problem: ProblemPage;
  'desk-sign-in': DeskSignInPage;
  'desk-overview': DeskOverviewPage;
  'desk-orders': DeskOrdersPage;
  'desk-order': DeskOrderPage;
}

export interface Views {
  render<V extends keyof ViewModels>(view: V, model: ViewModel<V>): string;
}

export interface ViewModel<V extends keyof ViewModels> {
  readonly layout: Layout;
  readonly page: ViewModels[V];
  readonly t: Translate;
  asset(path: string): string;
}

/** Compiles every view once; a view with a mistake stops the start. A view sees its model and nothing of a request. */
export function compileViews(directory: string): Views {
  const compiled = new Map<string, TemplateFunction>();
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.ejs'))) {
    const filename = join(directory, file);
    const options = {
      filename,
      views: [directory],
      strict: true,
      _with: false,
      localsName: 'it',
      cache: true,
    };
    compiled.set(file.slice(0, -'.ejs'.length), ejs.compile(readFileSync(filename, 'utf8'), options));
  }
  return {
    render(view, model) {
      const template = compiled.get(view);
      if (!template) throw new Error(`no view named ${view}`);
      return template(model);
    },
  };
}
