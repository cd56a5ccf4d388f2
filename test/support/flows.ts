/** Both payment flows, also in a shop that has the pages of one. */

import { nextCardTime, readCardTokens } from '@tianguis/payments/rules';
import { FLOWS } from '../../src/flows/index.js';
import type { FlowPages } from '../../src/web/flow-pages.js';
import { fieldsOf } from '../../src/web/form-body.js';
import { contextOf } from '../../src/web/request-context.js';

const WITHOUT_FIELDS = {
  views: { pay: '/../test/support/stand-in' },
  scripts: [],
  texts: () => ({ heading: 'Pay', choose: 'Pay' }),
  origins: () => [],
};

/** In place of removed pages: tests of orders and payments need a form with a button. */
const STAND_INS: readonly FlowPages[] = [
  {
    ...WITHOUT_FIELDS,
    id: 'hosted',
    formPath: '',
    paysAtOnce: false,
    readStart: (res) => ({ start: contextOf(res).checkout.payments.startHosted }),
  },
  {
    ...WITHOUT_FIELDS,
    id: 'card',
    formPath: '/card',
    paysAtOnce: true,
    readStart(res) {
      const tokens = readCardTokens(fieldsOf(res.req));
      if (!tokens) return { problem: 'invalid' };
      return {
        start: (orderId, options) => contextOf(res).checkout.payments.startCard(orderId, tokens, options),
      };
    },
    limitForOthers: { from: nextCardTime, text: () => '' },
  },
];

export const ALL_FLOWS = STAND_INS.map((standIn) => FLOWS.find(({ id }) => id === standIn.id) ?? standIn);
