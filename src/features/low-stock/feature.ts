import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { stockCards } from './stock-cards.js';

/** The products that are sold out, have few pieces or are mostly set aside, on the overview of the back office. */
export const lowStock: Feature = {
  name: 'low-stock',
  place: 165,
  needs: ['products'],
  slots: { 'overview.work': (res) => stockCards(contextOf(res)) },
};
