import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../settings.js';
import { start } from './support.js';

describe('the settings', () => {
  test('have a default for everything', () => {
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
  ])('read the webhook credentials %s', (text, auth) => {
    expect(readSettings({ WEBHOOK_AUTH: text }).webhook?.auth).toEqual(auth);
  });

  test('tell all problems at once, by name', () => {
    const wrong = { SIMULATOR_PORT: 'x', SIMULATOR_PROFILE: 'other', WEBHOOK_AUTH: 'basic:shop' };

    for (const name of Object.keys(wrong)) expect(() => readSettings(wrong)).toThrow(name);
  });

  test('refuse production', () => {
    expect(() => readSettings({ NODE_ENV: 'production' })).toThrow('never runs in production');
  });
});

describe('starting', () => {
  test('on a taken port fails with the reason', async () => {
    await using sim = await start();

    await expect(start({ port: Number(new URL(sim.url).port) })).rejects.toThrow('EADDRINUSE');
  });

  test('hands out the public address that it was given', async () => {
    await using sim = await start({ publicUrl: 'https://pay.example/' });

    expect(sim.url).toBe('https://pay.example');
  });

  test('and closing twice is one closing', async () => {
    const sim = await start();

    await Promise.all([sim.close(), sim.close()]);
  });
});
