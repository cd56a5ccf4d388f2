import { expect, test } from '@jest/globals';
import { readSimulatorOptions } from '../../src/simulator/settings.js';
import { start } from './support.js';

test('several wrong settings are reported in one error by name', () => {
  const wrong = { SIMULATOR_PORT: 'x', SIMULATOR_PROFILE: 'other', WEBHOOK_AUTH: 'basic:shop' };

  for (const name of Object.keys(wrong)) expect(() => readSimulatorOptions(wrong)).toThrow(name);
});

test('with NODE_ENV=production the simulator does not start', () => {
  expect(() => readSimulatorOptions({ NODE_ENV: 'production' })).toThrow('never runs in production');
});

test('a start on a taken port rejects with EADDRINUSE', async () => {
  await using sim = await start();

  await expect(start({ port: Number(new URL(sim.url).port) })).rejects.toThrow('EADDRINUSE');
});
