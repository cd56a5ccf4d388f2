import type { IRouter } from 'express';
import type { WebContext } from '../web/context.js';
import type { RequestContext } from '../web/request-context.js';

/** A part of a page. The view reads the model as `it.model`. */
export interface Section {
  /** Path below `views/`, such as `/partials/admin-sales`. */
  readonly view: string;
  readonly model: object;
}

/** What a feature adds to the shop. The core calls each member where it belongs. */
export interface Feature {
  /** Adds routes of the storefront, after those of the core. */
  addRoutes?(app: IRouter, web: WebContext): void;
  /** Returns a card of the back office's overview. */
  overviewCard?(context: RequestContext): Promise<Section>;
}
