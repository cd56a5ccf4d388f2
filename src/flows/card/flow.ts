import { nextCardTime, readCardTokens } from '@tianguis/payments/rules';
import type { FlowPages } from '../../web/flow-pages.js';
import { fieldsOf } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import { accessTokenPath, accessTokenRoutes } from './access-token.js';

/** The customer types the card on a page of the shop. The browser exchanges it for tokens, and the form posts only these. */
export const card: FlowPages = {
  id: 'card',
  formPath: '/card',
  paysAtOnce: true,
  views: { above: '/card/above', pay: '/card/pay' },
  scripts: ['/card.js'],
  texts: (t) => ({ heading: t('card.heading'), choose: t('card.choose'), chooseHint: t('card.chooseHint') }),
  origins: ({ payments }) => [new URL(payments.tokenizerUrl).origin],
  model: ({ payments }, path) => ({
    tokenizerUrl: payments.tokenizerUrl,
    accessTokenPath: accessTokenPath(path),
  }),
  readStart(res) {
    const { t, checkout } = contextOf(res);
    const tokens = readCardTokens(fieldsOf(res.req));
    if (!tokens) return { problem: t('card.errors.invalid') };
    return { start: (orderId, options) => checkout.payments.startCard(orderId, tokens, options) };
  },
  routes: accessTokenRoutes,
  limitForOthers: {
    from: nextCardTime,
    text: ({ t, moment }, from) =>
      from === Infinity ? t('card.noMoreTries') : t('card.triesFrom', { time: moment(from) }),
  },
};
