/**
 * Requests that were read together take each stretch of their way together. The stretch's code is then at hand for all
 * of them: one after another from end to end, each would find the processor's caches full of the other stretches.
 */
import type { RequestHandler } from 'express';

/** Ends a stretch of the way between two handlers. */
export const inStep: RequestHandler = (_req, _res, next) => {
  setImmediate(next);
};

/** Ends a stretch of the way in the middle of a handler. */
export function othersToo(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
