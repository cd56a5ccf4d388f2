/** The promises of `docs/adapting.md`, "Another gateway", as checks that know no gateway. */
import { describe, expect, test } from '@jest/globals';
import { EVERY_CALL } from './every-call.js';
import type { Pair } from './faulty-server.js';
import { LOOKUPS } from './lookups.js';
import { REFUNDS, WEBHOOKS } from './refunds-and-webhooks.js';
import { CARD_PAYMENTS, SESSIONS } from './starts.js';
import type { AdapterPromise } from './try-adapter.js';

export const PROMISES = [...EVERY_CALL, ...LOOKUPS, ...SESSIONS, ...CARD_PAYMENTS, ...REFUNDS, ...WEBHOOKS];

/** Opens a pair, runs the check and closes both. Rejects as the check does. */
export async function runCheck({ check }: AdapterPromise, openPair: () => Promise<Pair>): Promise<void> {
  const { server, openAdapter } = await openPair();
  await using _server = server;
  using adapter = openAdapter();
  await check({ server, openAdapter, adapter });
}

/** Defines one test per promise. */
export function describePromises(name: string, openPair: () => Promise<Pair>, promises = PROMISES): void {
  describe(name, () => {
    test.each(promises.map((promise) => [promise.name, promise] as const))('%s', async (_name, promise) => {
      await expect(runCheck(promise, openPair)).resolves.toBeUndefined();
    });
  });
}
