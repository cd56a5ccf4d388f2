/** Metrics label of a route, by the first part of its pattern. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:products\/.*)?$/, 'catalog'],
  [/^\/cart/, 'cart'],
  [/^\/checkout\/return/, 'return'],
  [/^\/checkout/, 'checkout'],
  [/^\/orders/, 'order'],
  [/^\/webhooks/, 'webhook'],
  [/^\/admin/, 'admin'],
  [/^\/(?:healthz|readyz|metrics)$/, 'probe'],
];

const known = new Map<string, string>();

/** Returns the metrics label of a route pattern. The input must be a pattern and not a path, because results are cached. */
export function routeClass(pattern: string): string {
  let found = known.get(pattern);
  if (found === undefined) {
    found = CLASSES.find(([form]) => form.test(pattern))?.[1] ?? 'other';
    known.set(pattern, found);
  }
  return found;
}
