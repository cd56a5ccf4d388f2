import { createClient } from '../../../../../test/support/replica.js';
import { API_KEY } from '../../../../../test/support/test-shop.js';
import { hasFailedTry, isDeclinedTry, isPlainPending } from '../../../src/gateway/status.js';
import { readWebhook } from '../../../src/gateway/webhook-event.js';
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
      isPlainPending,
      hasFailedTry,
      isDeclinedTry,
    }),
  };
});
