import { expect, test } from '@jest/globals';
import { readSettings } from '../settings.js';
import { start } from './support.js';

test('an empty environment gets a default for each setting', () => {
  expect(readSettings({})).toEqual({
    port: 4000,
    profile: 'interface',
    apiKey: 'test_simulator_key',
    dataDir: 'data/simulator',
    webhook: {
      url: 'http://localhost:3000/webhooks/payments',
      auth: { scheme: 'bearer', token: 'simulator-webhook-secret' },
    },
  });
});

test.each([
  ['bearer:a:b', { scheme: 'bearer', token: 'a:b' }],
  ['basic:shop:p:w', { scheme: 'basic', user: 'shop', password: 'p:w' }],
  ['header:X-API-Key:secret', { scheme: 'header', name: 'X-API-Key', value: 'secret' }],
  ['none', { scheme: 'none' }],
])('WEBHOOK_AUTH=%s is read as %j', (text, auth) => {
  expect(readSettings({ WEBHOOK_AUTH: text }).webhook?.auth).toEqual(auth);
});

test('several wrong settings are reported in one error by name', () => {
  const wrong = { SIMULATOR_PORT: 'x', SIMULATOR_PROFILE: 'other', WEBHOOK_AUTH: 'basic:shop' };

  for (const name of Object.keys(wrong)) expect(() => readSettings(wrong)).toThrow(name);
});

test('with NODE_ENV=production the simulator does not start', () => {
  expect(() => readSettings({ NODE_ENV: 'production' })).toThrow('never runs in production');
});

test('a start on a taken port rejects with EADDRINUSE', async () => {
  await using sim = await start();

  await expect(start({ port: Number(new URL(sim.url).port) })).rejects.toThrow('EADDRINUSE');
});
