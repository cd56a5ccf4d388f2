import type { StoredSettings } from '../shop/rules/shop-settings.js';
import { type Brand, brand } from './brand.js';

const PREFIX = 'brand.';

/** Returns the brand with what the merchant changed: the setting `brand.merchant.phone` is its member `merchant.phone`. */
export function brandWith(stored: StoredSettings): Brand {
  const changed: Brand = structuredClone(brand);
  for (const [name, value] of stored)
    if (name.startsWith(PREFIX) && typeof value === 'string') setMember(changed, name.slice(PREFIX.length), value);
  return changed;
}

function setMember(target: object, path: string, value: string): void {
  const [, name = '', rest] = /^([^.]+)(?:\.(.+))?$/.exec(path) ?? [];
  const member: unknown = Object.hasOwn(target, name) ? Reflect.get(target, name) : undefined;
  if (rest !== undefined && typeof member === 'object' && member !== null) setMember(member, rest, value);
  if (rest === undefined && (typeof member === 'string' || member === undefined)) Reflect.set(target, name, value);
}
