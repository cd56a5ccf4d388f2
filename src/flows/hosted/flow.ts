import type { FlowPages } from '../../web/flow-pages.js';
import { contextOf } from '../../web/request-context.js';

/** The customer pays on the payment page of the gateway. */
export const hosted: FlowPages = {
  id: 'hosted',
  formPath: '',
  paysAtOnce: false,
  views: { pay: '/hosted/pay' },
  scripts: [],
  texts: (t) => ({ heading: t('hosted.heading'), choose: t('hosted.choose') }),
  origins: () => [],
  readStart: (res) => ({ start: contextOf(res).checkout.payments.startHosted }),
};
