import { expect, test } from '@jest/globals';
import { BAD_ADAPTERS } from './bad-adapters.js';
import type { Adapter } from './faulty-server.js';
import { PROMISES, runCheck } from './promises.js';
import { openSimulatedPair } from './simulated-pair.js';
import type { AdapterPromise } from './try-adapter.js';

/** Opens pairs whose adapters are replaced by what `change` returns. */
const pairsWith = (change: (adapter: Adapter, url: string) => Adapter) => async () => {
  const { url, server, openAdapter } = await openSimulatedPair();
  const open = (settings?: Parameters<typeof openAdapter>[0]) => change(openAdapter(settings), url);
  return { server, openAdapter: open };
};

/** Returns the members of the adapter that a check uses. A bug in another member cannot change its result. */
async function membersOf(promise: AdapterPromise): Promise<ReadonlySet<string | symbol>> {
  const used = new Set<string | symbol>();
  const openPair = pairsWith(
    (adapter) =>
      new Proxy(adapter, {
        get(target, name) {
          used.add(name);
          return Reflect.get(target, name) as unknown;
        },
      }),
  );
  await runCheck(promise, openPair);
  return used;
}

// The checks of all calls take longest. They run for the bugs of all calls only.
const others = PROMISES.filter(({ name }) => !name.startsWith('Each call'));
const members = new Map(await Promise.all(others.map(async (each) => [each, await membersOf(each)] as const)));

test.each(BAD_ADAPTERS.map((bad) => [bad.bug, bad] as const))(
  'an adapter that %s breaks its promise and no other',
  async (_bug, { promise, spoil }) => {
    const { openAdapter, server, url } = await openSimulatedPair();
    using adapter = openAdapter();
    const spoiled = Object.keys(spoil(adapter, url));
    await server[Symbol.asyncDispose]();
    const openPair = pairsWith((each, at) => ({ ...each, ...spoil(each, at) }));
    const promises = PROMISES.filter(
      (each) => each.name === promise || spoiled.some((name) => members.get(each)?.has(name)),
    );
    const results = await Promise.allSettled(promises.map((each) => runCheck(each, openPair)));

    const broken = promises.filter((_each, index) => results[index]?.status === 'rejected');
    expect(broken.map(({ name }) => name)).toEqual([promise]);
  },
);

test('each promise has an adapter that breaks it', () => {
  expect(new Set(BAD_ADAPTERS.map(({ promise }) => promise))).toEqual(new Set(PROMISES.map(({ name }) => name)));
});
