import { hasFailedTry, isDeclinedTry, isPlainPending } from '../../../packages/payments/src/gateway/status.js';
import { readWebhook } from '../../../packages/payments/src/gateway/webhook-event.js';
import { createClient } from '../../support/replica.js';
import { API_KEY } from '../../support/test-shop.js';
import { describePromises } from '../promises/promises.js';
import { LONG } from '../support.js';
import { openSecondServer } from './server.js';

describePromises('the adapter of the second gateway', async () => {
  const server = await openSecondServer(API_KEY);
  return {
    server,
    openAdapter: (settings) => ({
      ...createClient(server.url, { deadlines: LONG, ...settings }),
      readWebhook,
      ...{ isPlainPending, hasFailedTry, isDeclinedTry },
    }),
  };
});
