import { expect, test } from '@jest/globals';
import { BAD_ADAPTERS } from './bad-adapters.js';
import { PROMISES, runCheck } from './promises.js';
import { openSimulatedPair } from './simulated-pair.js';

test.each(BAD_ADAPTERS.map((bad) => [bad.bug, bad] as const))(
  'an adapter that %s breaks its promise and no other',
  async (_bug, { promise, spoil }) => {
    const openPair = async () => {
      const { url, server, openAdapter } = await openSimulatedPair();
      return {
        server,
        openAdapter: (settings?: Parameters<typeof openAdapter>[0]) => {
          const adapter = openAdapter(settings);
          return { ...adapter, ...spoil(adapter, url) };
        },
      };
    };
    // The checks of all calls take longest. They run for the bugs of all calls only.
    const promises = PROMISES.filter(({ name }) => name === promise || !name.startsWith('Each call'));
    const results = await Promise.allSettled(promises.map((each) => runCheck(each, openPair)));

    const broken = promises.filter((_each, index) => results[index]?.status === 'rejected');
    expect(broken.map(({ name }) => name)).toEqual([promise]);
  },
);

test('each promise has an adapter that breaks it', () => {
  expect(new Set(BAD_ADAPTERS.map(({ promise }) => promise))).toEqual(new Set(PROMISES.map(({ name }) => name)));
});
