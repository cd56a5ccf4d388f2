import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { findProductNames } from '../../db/products.js';
import { adminProductPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { productsPaths } from './paths.js';
import { findLowStock, findMostlyReserved, findSoldOut, hasVisibleProduct } from './repository.js';

const MAX_ROWS = 50;

/**
 * Builds cards of the products that are sold out, of those with few pieces, and of those whose stock is mostly reserved. Without a product on sale,
 * a card names that first step of a new shop.
 */
export async function stockCards(context: RequestContext): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  const { queries } = checkout.db;
  const { lowStock } = checkout.config;
  if (!(await hasVisibleProduct(queries))) return [nothingOnSale(context)];
  const soldOut = await findSoldOut(queries, MAX_ROWS);
  const low = await findLowStock(queries, { max: lowStock, limit: MAX_ROWS });
  const reserved = await findMostlyReserved(queries, { at: checkout.clock.now(), limit: MAX_ROWS });
  const nameOf = await readNames(context, [...soldOut, ...low, ...reserved]);
  return [
    ...cardOf(
      context,
      'soldOut',
      soldOut.map(({ id }) => ({ id, label: nameOf(id) })),
    ),
    ...cardOf(
      context,
      'low',
      low.map(({ id, stock }) => ({ id, label: t('products.cards.lowOf', { name: nameOf(id), stock: stock ?? 0 }) })),
    ),
    ...cardOf(
      context,
      'reserved',
      reserved.map(({ id, ...counts }) => ({
        id,
        label: t('products.cards.reservedOf', { name: nameOf(id), ...counts }),
      })),
    ),
  ];
}

function nothingOnSale({ t }: RequestContext): HealthCard {
  return {
    title: t('products.cards.nothingOnSale'),
    figure: '0',
    tone: 'waiting',
    lines: [t('products.cards.nothingOnSaleHint')],
    links: [{ label: t('products.cards.addProducts'), href: productsPaths.products }],
  };
}

type Row = { readonly id: string; readonly label: string };

function cardOf(
  context: RequestContext,
  name: 'soldOut' | 'low' | 'reserved',
  rows: readonly Row[],
): readonly HealthCard[] {
  const { t } = context;
  if (rows.length === 0) return [];
  return [
    {
      title: t(`products.cards.${name}`),
      figure: figureOf(context, rows.length, MAX_ROWS),
      tone: 'waiting',
      lines: [t(`products.cards.${name}Hint`, { count: context.checkout.config.lowStock })],
      links: rows.map(({ id, label }) => ({ label, href: adminProductPath({ id }) })),
    },
  ];
}

async function readNames({ text, checkout }: RequestContext, products: readonly { readonly id: string }[]) {
  const ids = products.map(({ id }) => id);
  const names = await findProductNames(checkout.db.queries, ids);
  return (id: string) => {
    const texts = names.get(id);
    return texts ? text(texts) : id;
  };
}
