import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { findProductNames } from '../../db/products.js';
import { findMostlyReserved } from '../../db/stock.js';
import { adminProductPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';

const MAX_ROWS = 50;

/** Builds a card of the products whose stock is mostly reserved. Empty without such products. */
export async function reservedCards(context: RequestContext): Promise<readonly HealthCard[]> {
  const { t, text, checkout } = context;
  const products = await findMostlyReserved(checkout.db.queries, { at: checkout.clock.now(), limit: MAX_ROWS });
  if (products.length === 0) return [];
  const names = await findProductNames(
    checkout.db.queries,
    products.map(({ id }) => id),
  );
  const nameOf = (id: string) => {
    const texts = names.get(id);
    return texts ? text(texts) : id;
  };
  return [
    {
      title: t('admin.health.reserved'),
      figure: figureOf(context, products.length, MAX_ROWS),
      tone: 'waiting',
      lines: [t('admin.health.reservedHint')],
      links: products.map(({ id, pieces, stock }) => ({
        label: t('admin.health.reservedOf', { name: nameOf(id), pieces, stock }),
        href: adminProductPath({ id }),
      })),
    },
  ];
}
