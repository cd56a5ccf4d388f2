import { expect, test } from '@jest/globals';
import { startSimulator } from '@tianguis/gateway-tools';
import { createClient } from '../../support/replica.js';
import { seededRandom } from '../../support/seeded-random.js';
import { API_KEY } from '../../support/test-shop.js';
import { GatewayScheduler } from './gateway-scheduler.js';

test('the schedulers of two environments end their calls while both are running', async () => {
  await using simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  using client = createClient(simulator.url);
  const schedulers = ['first', 'second'].map((seed) => new GatewayScheduler(seededRandom(seed)).schedule(client));

  const answers = schedulers.map((gateway) => gateway.lookUp('hosted', 'unknown'));

  const codes = (await Promise.allSettled(answers)).map((answer) => answer.status === 'rejected' && answer.reason.code);
  expect(codes).toEqual(['not_found', 'not_found']);
});
