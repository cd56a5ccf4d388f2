/** The form that closes the shop. What a closed shop refuses is in test/checkout/closed-shop.test.ts. */
import { expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { CARDS, openHostedPage, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { addDays, dayOf } from '../../../shop/rules/mexico-day.js';

const shop = await openSharedShop();
await addUser(shop, 'luis', 'fulfillment');

const today = () => dayOf(shop.clock.now());
const stored = () => Object.fromEntries(shop.context.web.settings.current().storedSettings);
const home = async (query: string) => (await new Customer(shop).get(`/?category=closed-${query}`)).text;

async function close(fields: object, merchant?: Customer) {
  const user = merchant ?? (await openBackOffice(shop));
  const version = String(shop.checkout.settings.current().settingsVersion);
  return user.post('/admin/closing', { action: 'close', version, ...fields });
}

test('a manager closes the shop until a day with a text, and opens it again, and all pages show it at once', async () => {
  const merchant = await openBackOffice(shop);
  const until = addDays(today(), 7);
  const texts = { 'text.es-MX': 'Estamos en la <feria>.', 'text.en': '' };
  const closed = await close({ until, ...texts }, merchant);
  const page = await merchant.get(closed.headers['location'] ?? '');

  expect(closed.status).toBe(303);
  expect(stored()).toEqual({ closing: { until, texts: { 'es-MX': 'Estamos en la <feria>.' } } });
  expect(page.text).toContain('La tienda está cerrada hasta el');
  expect(await home('a')).toContain('Estamos en la &lt;feria&gt;. Puedes comprar de nuevo desde el');
  await close({ action: 'open' }, merchant);
  expect(stored()).toEqual({});
  expect(await home('b')).not.toContain('data-test="closing"');
});

test('the form says until when open pages may be paid, and how many links cannot be paid and end', async () => {
  const merchant = await openBackOffice(shop);
  const before = (await merchant.get('/admin/closing')).text;
  await openHostedPage(shop);
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  await close({ until: addDays(today(), 1), 'text.es-MX': '', 'text.en': '' }, merchant);
  const soon = (await merchant.get('/admin/closing')).text;
  await close({ until: addDays(today(), 200), 'text.es-MX': '', 'text.en': '' }, merchant);
  const late = (await merchant.get('/admin/closing')).text;

  expect(before).toContain('No hay páginas de pago abiertas.');
  expect(before).toContain('0 pedidos sin pagar tienen un enlace');
  expect(soon).toContain('todavía se pueden pagar hasta el');
  expect(soon).toContain('2 pedidos sin pagar tienen un enlace');
  expect(soon).toContain('0 de esos enlaces terminan');
  expect(late).toContain('2 de esos enlaces terminan');
});

test.each(['', 'mañana', '2020-01-01', '2999-01-01'])(
  'the day %j is refused at its field, with the typed text, and the shop stays open',
  async (until) => {
    const refused = await close({ until, 'text.es-MX': 'x'.repeat(301) });

    expect(refused.status).toBe(422);
    expect(refused.text).toContain('id="until-error"');
    expect(refused.text).toContain('id="text.es-MX-error"');
    expect(refused.text).toContain('x'.repeat(301));
    expect(stored()).toEqual({});
  },
);

test('a form that was shown before another user closed the shop is shown again', async () => {
  const merchant = await openBackOffice(shop);
  const until = addDays(today(), 2);
  await close({ until }, merchant);
  const late = await merchant.post('/admin/closing', { action: 'close', version: '0', until: addDays(today(), 9) });

  expect(late.status).toBe(409);
  expect(late.text).toContain(`value="${addDays(today(), 9)}"`);
  expect(stored()).toMatchObject({ closing: { until } });
});

(hasFeature('settings-file') ? test : test.skip)(
  'the file of settings has the closing, and one that is not valid is refused',
  async () => {
    const merchant = await openBackOffice(shop);
    const importSettings = async (settings: object) => {
      const request = merchant.agent.post('/admin/shop/file').redirects(0);
      const file = Buffer.from(JSON.stringify({ settings }));
      const { headers } = await request.attach('file', file, 'tienda.json');
      return (await merchant.get(headers['location'] ?? '')).status;
    };
    const open = (await merchant.get('/admin/shop/file')).text;
    const closing = { until: '2999-01-01', texts: { 'es-MX': 'Vacaciones' } };

    for (const wrong of [
      { until: 'mañana', texts: {} },
      { until: '2999-01-01', texts: { 'es-MX': 7 } },
    ])
      expect(await importSettings({ closing: wrong })).toBe(422);
    expect([await importSettings({ closing }), stored()]).toEqual([200, { closing }]);
    expect([await importSettings(JSON.parse(open).settings), stored()]).toEqual([200, {}]);
  },
);

test('a user without the role manager neither sees nor sends the form, and no other site sends it', async () => {
  const luis = await openBackOffice(shop, 'luis');
  const merchant = await openBackOffice(shop);
  const foreign = await merchant.agent.post('/admin/closing').set('Sec-Fetch-Site', 'cross-site').type('form').send({});

  expect([(await luis.get('/admin/closing')).status, (await close({}, luis)).status, foreign.status]).toEqual([
    403, 403, 403,
  ]);
  expect((await merchant.get('/admin/shop')).text).toContain('href="/admin/closing"');
});
