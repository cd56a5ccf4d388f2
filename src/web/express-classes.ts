import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** What a server of Node makes for each request that comes in. */
export interface MessageClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * The classes whose objects are what this app makes of plain ones. Express gives every request and every response
 * another prototype; V8 then works with them slowly and keeps them until it looks through the whole heap. Objects that
 * are born with that prototype are left as they are.
 */
export function classesOf(app: Express): MessageClasses {
  class Incoming extends IncomingMessage {}
  class Outgoing<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = adopt(Incoming.prototype, app.request);
  app.response = adopt(Outgoing.prototype, app.response);
  return { IncomingMessage: Incoming, ServerResponse: Outgoing };
}

/** Puts what the app expects of its messages behind this prototype. */
function adopt<T extends object>(prototype: object, expected: T): T {
  return Object.setPrototypeOf(prototype, expected) as T;
}
