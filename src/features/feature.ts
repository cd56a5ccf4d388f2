import type { IRouter } from 'express';
import type { HealthCard } from '../admin/health-card.js';
import type { AdminRouter } from '../admin/permissions.js';
import type { Clock } from '../checkout/context.js';
import type { Observer } from '../checkout/observer.js';
import type { Config } from '../config/config.js';
import type { Queries } from '../db/connection/database.js';
import type { EventLog } from '../domain/event-log.js';
import type { WebContext } from '../web/context.js';
import type { RequestContext } from '../web/request-context.js';

/** A part of a page. The view reads the model as `it.model`. */
export interface Section {
  /** Path below `views/`, such as `/partials/admin-sales`. */
  readonly view: string;
  readonly model: object;
}

export interface ObserverOptions {
  readonly config: Pick<Config, 'orderTtlMs'>;
  readonly queries: Queries;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** What a feature adds to the shop. The core calls each member where it belongs. */
export interface Feature {
  /** Adds routes of the storefront, after those of the core. */
  addRoutes?(app: IRouter, web: WebContext): void;
  /** Adds routes that answer before all checks of requests. */
  addProbes?(app: IRouter, web: WebContext): void;
  /** Creates the observer of one shop. At most one feature has it. */
  createObserver?(options: ObserverOptions): Observer;
  /** Adds routes of the back office. Each needs an entry in `src/admin/permissions.ts`. */
  addAdminRoutes?(app: AdminRouter): void;
  /** Returns figures of the back office's overview. */
  healthCards?(context: RequestContext): Promise<readonly HealthCard[]>;
  /** Returns a card of the back office's overview. */
  overviewCard?(context: RequestContext): Promise<Section>;
}
