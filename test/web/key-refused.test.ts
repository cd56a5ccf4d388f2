import { expect, test } from '@jest/globals';
import { openBackOffice } from '../support/admin.js';
import { orderOfSession } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { control } = shop;

const keyEvents = () =>
  shop.logged.flatMap((line) => {
    const { msg, call }: Record<string, unknown> = JSON.parse(line);
    return String(msg).startsWith('gateway.key_') ? [[msg, call]] : [];
  });

test.each([401, 403])(
  'a key that lookups refuse with %i is logged once, and the overview warns until it is accepted',
  async (status) => {
    const merchant = await openBackOffice(shop);
    const opened = await openHostedPage(shop);
    const { number, state } = await orderOfSession(shop, opened.session);
    const overview = async () => (await merchant.get('/admin')).text;
    const check = async () => {
      shop.clock.advance(5_000);
      await merchant.post(`/admin/orders/${number}/check`, {});
    };
    const logged = keyEvents().length;
    const before = await overview();

    control.fault('read-session', { kind: 'status', status });
    for (let lookup = 0; lookup < 3; lookup += 1) await check();
    // Other calls still succeed.
    await openHostedPage(shop);
    await check();
    const during = await overview();
    const unchanged = await orderOfSession(shop, opened.session);
    control.clearFaults();
    await check();
    await check();
    const after = await overview();

    expect(keyEvents().slice(logged)).toEqual([
      ['gateway.key_refused', 'read-session'],
      ['gateway.key_accepted', 'read-session'],
    ]);
    for (const page of [before, after]) expect(page).not.toContain('admin-key-refused');
    expect(during).toContain('data-test="admin-key-refused"');
    expect(during).toContain('PAYMENTS_API_KEY');
    expect(unchanged.state).toBe(state);
  },
);
