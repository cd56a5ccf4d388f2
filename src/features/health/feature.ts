import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { healthCards } from './health-cards.js';
import { refusedWebhooksOf } from './refused-webhooks.js';

/** The health of payments, outbox jobs and webhooks on the overview of the back office. */
export const health: Feature = {
  name: 'health',
  place: 150,
  provides: { createWebhookCounter: (checkout) => refusedWebhooksOf(checkout).count },
  slots: {
    'overview.section': async (res) => {
      const cards = await healthCards(contextOf(res));
      const hasProblem = cards.some(({ tone }) => tone === 'bad');
      return { view: '/health/views/figures', model: { cards, hasProblem } };
    },
  },
};
