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
  const render = (name: string, model: object): string => {
    const template = compiled.get(name);
    if (!template) throw new Error(`no view named ${name}`);
    // EJS would look for what is included on the disk, each time.
    return template({ ...model, include: (part: string) => render(part, model) });
  };
  for (const name of namesOf(directory)) {
    const filename = join(directory, `${name}.ejs`);
    const options = { filename, strict: true, _with: false, localsName: 'it' } as const;
    compiled.set(name, ejs.compile(readFileSync(filename, 'utf8'), options));
  }
  return { render };
}

function namesOf(directory: string): readonly string[] {
  return ['', 'partials/'].flatMap((folder) =>
    readdirSync(join(directory, folder))
      .filter((file) => file.endsWith('.ejs'))
      .map((file) => `${folder}${file.slice(0, -'.ejs'.length)}`),
  );
}
