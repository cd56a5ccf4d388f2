import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { findProductNames } from '../../tables/products.js';
import { adminProductPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { productsPaths } from '../products/paths.js';
import { findLowStock, findMostlyReserved, findSoldOut, hasVisibleProduct } from './repository.js';

const MAX_ROWS = 50;

/**
 * Builds cards of the products that are sold out, of those with few pieces, and of those whose stock is mostly reserved. Without a product on sale,
 * a card names that first step of a new shop.
 */
export async function stockCards(context: RequestContext): Promise<readonly HealthCard[]> {
  const { t, text, checkout } = context;
  const { queries } = checkout.db;
  const { lowStock } = checkout.config;
  if (!(await hasVisibleProduct(queries))) return [nothingOnSale(context)];
  const soldOut = await findSoldOut(queries, MAX_ROWS);
  const low = await findLowStock(queries, { max: lowStock, limit: MAX_ROWS });
  const reserved = await findMostlyReserved(queries, { at: checkout.clock.now(), limit: MAX_ROWS });
  const ids = [...soldOut, ...low, ...reserved].map(({ id }) => id);
  const names = await findProductNames(queries, ids);
  const linkOf = (id: string, label: (name: string) => string) => {
    const texts = names.get(id);
    return { label: label(texts ? text(texts) : id), href: adminProductPath({ id }) };
  };
  const links = {
    soldOut: soldOut.map(({ id }) => linkOf(id, (name) => name)),
    low: low.map(({ id, stock }) => linkOf(id, (name) => t('lowStock.lowOf', { name, stock: stock ?? 0 }))),
    reserved: reserved.map(({ id, ...counts }) => linkOf(id, (name) => t('lowStock.reservedOf', { name, ...counts }))),
  };
  const shown = (['soldOut', 'low', 'reserved'] as const).filter((name) => links[name].length > 0);
  return shown.map((name) => ({
    title: t(`lowStock.${name}`),
    figure: figureOf(context, links[name].length, MAX_ROWS),
    tone: 'waiting',
    lines: [t(`lowStock.${name}Hint`, { count: lowStock })],
    links: links[name],
  }));
}

function nothingOnSale({ t }: RequestContext): HealthCard {
  return {
    title: t('lowStock.nothingOnSale'),
    figure: '0',
    tone: 'waiting',
    lines: [t('lowStock.nothingOnSaleHint')],
    links: [{ label: t('lowStock.addProducts'), href: productsPaths.products }],
  };
}
