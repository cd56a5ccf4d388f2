import type { CheckoutServices } from '../checkout/services.js';
import { routeClass } from './route-class.js';

export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, never the path. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly order?: string | undefined;
}

/** Counts a request that ended, and writes its one line. */
export function endRequest({ observer, log }: CheckoutServices, ended: EndedRequest): void {
  observer.requestEnded(routeClass(ended.route), ended.status, ended.ms);
  log.info('request', { ...ended, ms: Math.round(ended.ms) });
}
