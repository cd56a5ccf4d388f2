import { pathTo } from '../../web/paths.js';

export const shippingTablePaths = {
  table: '/admin/shipping',
  zone: '/admin/shipping/zones/:zone',
} as const;

/** `new`: a zone that is not stored yet. */
export function zonePath(place: number | 'new'): string {
  return pathTo(shippingTablePaths.zone, { zone: place });
}
