import type { Response } from 'express';
import type { Locale } from '../core/catalogue.js';
import type { Translate } from '../words/translations.js';

/** What is known about a request from its first moment on. */
export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  readonly t: Translate;
}

const contexts = new WeakMap<object, RequestContext>();

export function setContext(res: Response, context: RequestContext): void {
  contexts.set(res, context);
}

/** The request's context; set by the first middleware, so every route has it. */
export function contextOf(res: Response): RequestContext {
  const context = contexts.get(res);
  if (!context) throw new Error('the request has no context yet');
  return context;
}
