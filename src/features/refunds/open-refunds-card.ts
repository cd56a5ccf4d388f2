import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { adminOrderPath } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { findOrdersWithOpenRefund } from './repository.js';

const MAX_ROWS = 50;

/** Builds a card of the orders with a refund in flight. Empty without such orders. */
export async function openRefundsCards(context: RequestContext): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  const numbers = await findOrdersWithOpenRefund(checkout.db.queries, MAX_ROWS);
  if (numbers.length === 0) return [];
  return [
    {
      title: t('refunds.cards.open'),
      figure: figureOf(context, numbers.length, MAX_ROWS),
      tone: 'review',
      lines: [t('refunds.cards.openHint')],
      links: numbers.map((number) => ({ label: number, href: `${adminOrderPath({ number })}#refunds` })),
    },
  ];
}
