/** Products of one group: one card in the catalog, and a choice on the page of each. */

import { centavos } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { type CatalogQuery, groupIdOf, type OfferedProduct, type Product } from '../shop/rules/product.js';
import { findGroups } from '../tables/products.js';
import { productPath } from './paths.js';
import { contextOf, type PageI18n } from './request-context.js';

/**
 * Builds the cards of the catalog. The price of a group is its lowest one that is available, with the price before of that
 * product. It is sold out if all its products are. Products outside the searched prices do not count.
 */
export async function productCards(
  res: Response,
  products: readonly OfferedProduct[],
  { min = centavos(0), max }: Pick<CatalogQuery, 'min' | 'max'> = {},
) {
  const { checkout, t, text, money } = contextOf(res);
  const groups = await findGroups(checkout.db.queries, products, checkout.clock.now());
  return products.map((product) => {
    const all = groups.get(groupIdOf(product)) ?? [product];
    const group = all.filter(({ price }) => price >= min && (max === undefined || price <= max));
    const available = group.filter(({ left }) => left !== 0);
    const [cheapest = product, ...others] = (available.length > 0 ? available : group).toSorted(byPrice);
    const price = money(cheapest.price);
    return {
      product,
      name: text(all.length > 1 && product.variant ? product.variant.groupName : product.name),
      price: others.some((other) => other.price > cheapest.price) ? t('catalog.priceFrom', { price }) : price,
      before: cheapest.priceBefore,
      soldOut: available.length === 0,
    };
  });
}

/** Of products with the same price, the first has the lowest price before, or none. */
function byPrice(one: Product, other: Product): number {
  return one.price - other.price || (one.priceBefore ?? 0) - (other.priceBefore ?? 0);
}

/** Returns the visible products of a product's group, the main one first. Without a group it is the product alone. */
export async function findVariants(res: Response, product: OfferedProduct): Promise<readonly OfferedProduct[]> {
  const { db, clock } = contextOf(res).checkout;
  const groups = await findGroups(db.queries, [product], clock.now());
  return groups.get(groupIdOf(product)) ?? [product];
}

/** Builds the links of the choice. `undefined`: there is nothing to choose. */
export function variantLinks(
  { text, money, publicPath }: PageI18n,
  { id }: OfferedProduct,
  variants: readonly OfferedProduct[],
) {
  if (variants.length < 2) return undefined;
  return variants.map((each) => ({
    label: text(each.variant?.label ?? each.name),
    // Without JavaScript, the page opens at the choice.
    href: `${publicPath(productPath(each))}#choice`,
    price: money(each.price),
    before: each.priceBefore,
    soldOut: each.left === 0,
    current: each.id === id,
  }));
}
