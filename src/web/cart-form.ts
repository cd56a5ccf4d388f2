import type { Fields } from './form-body.js';

/**
 * Name of a field of the cart's form: the product, and the quantity that the page showed. `edited` is a field that public/cart.js
 * saw changing, `remove` the button of a line.
 */
const FIELD = /^quantity\[([\w-]+)\]\[(?:(\d{1,2})|edited|remove)\]$/;

/**
 * Returns the posted quantities by product id that differ from what the page showed. An older page thus changes only what the
 * customer typed on it. A pressed button comes after the field of its line, and counts.
 */
export function readCartForm(fields: Fields): ReadonlyMap<string, unknown> {
  const changes = new Map<string, unknown>();
  for (const [name, typed] of Object.entries(fields)) {
    const [, productId, shown] = FIELD.exec(name) ?? [];
    if (productId !== undefined && typed !== shown) changes.set(productId, typed);
  }
  return changes;
}
