/** What a route is counted as, by the first part of its pattern. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:products\/.*)?$/, 'catalogue'],
  [/^\/cart/, 'cart'],
  [/^\/checkout\/return/, 'return'],
  [/^\/checkout/, 'checkout'],
  [/^\/orders/, 'order'],
  [/^\/webhooks/, 'webhook'],
  [/^\/admin/, 'desk'],
  [/^\/(?:healthz|readyz|metrics)$/, 'probe'],
];

const known = new Map<string, string>();

/** The class of a route's pattern. There are as many patterns as routes in the code: a path never comes here. */
export function routeClass(pattern: string): string {
  let found = known.get(pattern);
  if (found === undefined) {
    found = CLASSES.find(([form]) => form.test(pattern))?.[1] ?? 'other';
    known.set(pattern, found);
  }
  return found;
}
