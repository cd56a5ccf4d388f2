/** The shipping table in the back office. What it means for a checkout is in test/checkout/shipping-table.test.ts. */
import { beforeEach, expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import type { Customer } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { readShippingTable } from '../../../shop/read-shipping-table.js';
import { STATE_CODES } from '../../../shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../../shop/rules/default-table.js';
import { findTableProblems } from '../../../shop/rules/shipping-table.js';
import { mayStoreTable } from '../may-store-table.js';

const shop = await openSharedShop();
await addUser(shop, 'luis', 'fulfillment');
let merchant: Customer;
beforeEach(async () => {
  merchant = await openBackOffice(shop);
});

const stored = () => shop.checkout.settings.current().shipping;
const version = () => String(shop.checkout.settings.current().settingsVersion);
const post = (path: string, fields: object, user = merchant) => user.post(path, { version: version(), ...fields });
/** Posts the form of a zone as its page shows it. */
function save(zone: number | 'new', fields: object) {
  const { zones } = stored();
  const isRest = zone === zones.length - 1;
  const shown = { shown_name: zone === 'new' || isRest ? '' : zones[zone]?.name, is_rest: isRest ? '1' : '0' };
  return post(`/admin/shipping/zones/${zone}`, { ...shown, ...fields });
}

const SOUTH = {
  ...{ name: 'Sureste', states: ['YUC', 'CAM'], postal_codes: '77 77500', delivers: 'yes', by: 'weight' },
  ...{ up_to_1: '1', price_1: '150', up_to_2: '5.5', price_2: '250.50', price_3: '400' },
  ...{ free_from: '3,000', days_min: '5', days_max: '9' },
};

test('a zone by weight takes its states from the others, and each step stays a complete table', async () => {
  const saved = await save('new', SOUTH);
  const page = await merchant.get(saved.headers['location'] ?? '');

  expect(stored().zones).toMatchObject([
    {
      name: 'Sureste',
      states: ['CAM', 'YUC'],
      postalCodes: ['77', '77500'],
      delivery: {
        by: 'weight',
        steps: [
          { upTo: 1_000, price: 150_00 },
          { upTo: 5_500, price: 250_50 },
          { upTo: null, price: 400_00 },
        ],
        freeFrom: 3_000_00,
        days: { min: 5, max: 9 },
      },
    },
    { states: STATE_CODES.filter((state) => state !== 'CAM' && state !== 'YUC'), delivery: { by: 'total' } },
  ]);
  expect(page.text).toContain('hasta 1 kg: $150.00; hasta 5.5 kg: $250.50; más: $400.00.');
  expect(page.text).toContain('Gratis desde $3,000.00.');
  expect(page.text).toMatch(/data-test="unknown-weights">\d+ producto/);
  await save('new', { ...SOUTH, name: 'Campeche', states: 'CAM', postal_codes: '' });
  expect(stored().zones.map(({ states }) => states.length)).toEqual([1, 1, 30]);
  expect(findTableProblems(stored())).toEqual([]);
});

test('the last zone has the states of a deleted zone, and may be without delivery', async () => {
  await save('new', SOUTH);
  await save(1, { delivers: 'no' });
  expect(stored().zones.at(-1)).toMatchObject({ delivery: null });
  await post('/admin/shipping', { weight: '1', pickup: '1' });
  await save(0, { action: 'remove' });

  expect(stored().zones).toMatchObject([{ states: STATE_CODES, delivery: null }]);
});

test('the only zone with delivery is not deleted while nothing can be picked up', async () => {
  await save('new', SOUTH);
  await post('/admin/shipping', { weight: '1' });
  await save(1, { delivers: 'no' });
  const refused = await save(0, { action: 'remove' });

  expect(refused.status).toBe(422);
  expect(refused.text).toContain('id="delivers-error"');
  expect(stored().zones.map(({ name }) => name)).toEqual(['Sureste', 'México']);
});

test('the form of a stored zone shows it as typed, and saving it unchanged stores nothing', async () => {
  await save('new', SOUTH);
  const { text } = await merchant.get('/admin/shipping/zones/0');
  const typed = [...text.matchAll(/name="(\w+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [name, value]);

  expect(Object.fromEntries(typed)).toMatchObject({
    up_to_2: '5.5',
    price_2: '250.50',
    price_3: '400.00',
    days_max: '9',
  });
  const again = await save(0, { ...SOUTH, postal_codes: '77 77500' });
  expect(again.headers['location']).toContain('result=unchanged');
});

test.each<[string, object, string]>([
  ['no name', { name: '' }, 'name'],
  ['no state and no postal code', { states: '', postal_codes: '' }, 'states'],
  ['a postal code of one digit', { postal_codes: '7' }, 'postal_codes'],
  ['postal digits twice', { postal_codes: '77 77' }, 'postal_codes'],
  ['a last step with a limit', { price_3: '' }, 'price_1'],
  ['no price at all', { up_to_1: '', price_1: '', up_to_2: '', price_2: '', price_3: '' }, 'price_1'],
  ['limits in another order', { up_to_1: '6' }, 'price_1'],
  ['a limit that is no weight', { up_to_1: 'mucho' }, 'up_to_1'],
  ['a limit that may be kilograms or grams', { up_to_1: '1,500' }, 'up_to_1'],
  ['a limit without a price', { price_1: '' }, 'price_1'],
  ['a negative price', { price_2: '-1' }, 'price_2'],
  ['days in another order', { days_min: '9', days_max: '5' }, 'days_min'],
  ['one of two days', { days_max: '' }, 'days_min'],
  ['free from zero', { free_from: '0' }, 'free_from'],
])('a zone with %s is refused at its field with what was typed, and the table stays', async (_name, wrong, field) => {
  const { states: _, delivers: __, by: ___, ...texts } = { ...SOUTH, ...wrong };
  const refused = await save('new', { ...SOUTH, ...wrong });

  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`id="${field}-error"`);
  for (const text of Object.values(texts)) expect(refused.text).toContain(`value="${text}"`);
  expect(stored()).toEqual(DEFAULT_TABLE);
});

test('a list of postal codes is stored, and shown again after an error, but a card number in the field is not', async () => {
  const codes = '77500 06700 03100, 01000 02000 0300 0400 11 12 13 14 15 16 100 101 102';
  const refused = await save('new', { ...SOUTH, postal_codes: codes, price_1: 'mucho' });
  const saved = await save('new', { ...SOUTH, postal_codes: codes });

  expect([refused.status, refused.text.includes(`value="${codes}"`)]).toEqual([422, true]);
  expect(saved.status).toBe(303);
  expect(stored().zones[0]?.postalCodes).toEqual(codes.split(/\W+/));
  const numbers = ['4111 1111 1111 1111', '4111,1111,1111,1111', '4111111111111111', '3782 822463 10005'];
  for (const card of [...numbers, '41111 11111 11111 1']) {
    const { status, text } = await save('new', { ...SOUTH, name: 'Otra', postal_codes: `77500 ${card}` });
    expect([status, text.includes('id="postal_codes-error"'), text.includes('77500 ')]).toEqual([422, true, false]);
  }
});

test.each(['1,500', '12,000'])('a weight of %s is a question, and 0,500 and 1.500 are weights', async (weight) => {
  const asked = await post('/admin/shipping', { weight, pickup: '1' });

  expect([asked.status, asked.text.includes(`¿${weight} son kilos o gramos?`)]).toEqual([422, true]);
  for (const [clear, grams] of [
    ['0,500', 500],
    ['1.500', 1_500],
  ]) {
    await post('/admin/shipping', { weight: String(clear), pickup: '1' });
    expect(stored().defaultWeight).toBe(grams);
  }
});

test('a table that sells nothing is refused in both forms, and so is a zone that takes all states of another', async () => {
  await save('new', SOUTH);
  const pickup = await post('/admin/shipping', { weight: '2' });
  expect([pickup.status, stored()]).toMatchObject([303, { pickup: false, defaultWeight: 2_000 }]);
  await save('new', { ...SOUTH, name: 'Oaxaca', states: 'OAX', postal_codes: '' });
  const taken = await save('new', { ...SOUTH, name: 'Dos', states: ['OAX'], postal_codes: '' });
  expect(taken.text).toContain('La zona «Oaxaca» se queda sin estados');
  for (const zone of [0, 1]) expect((await save(zone, { ...SOUTH, ...named(zone), delivers: 'no' })).status).toBe(303);
  const nothing = await save(2, { delivers: 'no' });

  expect(nothing.status).toBe(422);
  expect(nothing.text).toContain('id="delivers-error"');
});

const named = (zone: number) => (zone === 0 ? {} : { name: 'Oaxaca', states: 'OAX', postal_codes: '' });

test('a form that was shown before another change is shown again with what was typed', async () => {
  const before = version();
  await save('new', SOUTH);
  const late = await post('/admin/shipping/zones/new', { ...SOUTH, version: before, name: 'Tarde', postal_codes: '' });

  expect(late.status).toBe(409);
  expect(late.text).toContain('value="Tarde"');
  expect(stored().zones.map(({ name }) => name)).toEqual(['Sureste', 'México']);
});

test('a form of a zone that moved meanwhile is shown at its place, and one of a removed zone as a new zone', async () => {
  await save('new', SOUTH);
  await save('new', { ...SOUTH, name: 'Oaxaca', states: 'OAX', postal_codes: '' });
  const shown = { version: version(), shown_name: 'Oaxaca', is_rest: '0', name: 'Oaxaca', states: 'OAX' };
  await save(0, { action: 'remove' });
  const moved = await post('/admin/shipping/zones/1', { ...SOUTH, postal_codes: '', ...shown, price_1: '77' });
  await save(0, { action: 'remove' });
  const removed = await post('/admin/shipping/zones/1', { ...SOUTH, postal_codes: '', ...shown, price_1: '78' });

  expect([moved.status, removed.status]).toEqual([409, 409]);
  expect(moved.text).toContain('action="/admin/shipping/zones/0"');
  expect(removed.text).toContain('action="/admin/shipping/zones/new"');
  for (const [{ text }, price] of [
    [moved, '77'],
    [removed, '78'],
  ] as const)
    expect(text).toContain(`value="${price}"`);
  expect(stored().zones.map(({ name }) => name)).toEqual(['México']);
});

test('a file may have 40,000 postal codes, and a stored table with more stays in use', async () => {
  const codes = Array.from({ length: 40_001 }, (_, number) => String(number).padStart(5, '0'));
  const withCodes = (postalCodes: readonly string[]) => {
    const [rest] = DEFAULT_TABLE.zones;
    const own = { ...rest, name: 'Norte', states: [], postalCodes };
    return { ...DEFAULT_TABLE, zones: [own, ...DEFAULT_TABLE.zones] };
  };

  expect([mayStoreTable(withCodes(codes.slice(1))), mayStoreTable(withCodes(codes))]).toEqual([true, false]);
  expect(readShippingTable(new Map([['shipping', withCodes(codes)]]))?.zones).toHaveLength(
    DEFAULT_TABLE.zones.length + 1,
  );
  await storeSettings(shop.queries, { shipping: withCodes(codes) });
  shop.clock.advance(1_000);
  const { text } = await merchant.get('/admin/shipping');
  expect(text).toMatch(/CP 00039….{1,4}39,?961 códigos más/);
});

test.each([
  ['zones', { ...DEFAULT_TABLE, zones: Array(500_000).fill({}) }],
  ['states', { ...DEFAULT_TABLE, zones: [{ ...DEFAULT_TABLE.zones[0], states: Array(500_000).fill('x') }] }],
])('a list of 500,000 wrong %s is refused by its length', (_name, table) => {
  expect(mayStoreTable(table)).toBe(false);
});

test('a stored table that is not complete is not used', async () => {
  for (const shipping of [{ ...DEFAULT_TABLE, zones: [] }, { defaultWeight: 1_000 }, 'todo']) {
    await storeSettings(shop.queries, { shipping });
    shop.clock.advance(1_000);
    await shop.checkout.settings.refresh();
    expect(stored()).toEqual(DEFAULT_TABLE);
  }
  expect(shop.logged.filter((line) => line.includes('settings.value_ignored'))).toHaveLength(3);
});

/** Imports settings as a file. Returns the status of the page that answers. */
async function importSettings(settings: object): Promise<number> {
  const file = Buffer.from(JSON.stringify({ settings }));
  const request = merchant.agent.post('/admin/shop/file').redirects(0);
  const { headers } = await request.attach('file', file, 'tienda.json');
  return (await merchant.get(headers['location'] ?? '')).status;
}

(hasFeature('settings-file') ? test : test.skip)(
  'the file of settings has the table, and one that is not complete is refused',
  async () => {
    await save('new', SOUTH);
    const { settings } = JSON.parse((await merchant.get('/admin/shop/file')).text) as {
      settings: { shipping: object };
    };
    await save(0, { action: 'remove' });
    const wrong = [{ ...DEFAULT_TABLE, zones: [] }, { zones: 'todas' }, 'todo', { ...DEFAULT_TABLE, defaultWeight: 0 }];

    for (const shipping of wrong) expect(await importSettings({ shipping })).toBe(422);
    expect(await importSettings(settings)).toBe(200);
    expect(stored()).toEqual(settings.shipping);
    expect(await importSettings({ shipping: null })).toBe(200);
    expect(stored()).toEqual(DEFAULT_TABLE);
  },
);

test('a corrected form keeps the version that its user saw, so that it replaces no later change', async () => {
  const seen = version();
  const refused = await save('new', { ...SOUTH, price_1: 'mucho' });
  await save('new', { ...SOUTH, name: 'Otra' });
  const late = await save('new', {
    ...SOUTH,
    postal_codes: '',
    version: /name="version" value="(\d+)"/.exec(refused.text)?.[1],
  });

  expect(refused.text).toContain(`name="version" value="${seen}"`);
  expect(late.status).toBe(409);
});

test('a user without the role manager neither sees nor sends the forms, and no other site sends them', async () => {
  const luis = await openBackOffice(shop, 'luis');
  const paths = ['/admin/shipping', '/admin/shipping/zones/0'];
  const foreign = merchant.agent.post('/admin/shipping').set('Sec-Fetch-Site', 'cross-site').type('form').send({});

  for (const path of paths)
    expect([(await luis.get(path)).status, (await post(path, {}, luis)).status]).toEqual([403, 403]);
  expect((await foreign).status).toBe(403);
  expect((await merchant.get('/admin/shipping/zones/7')).status).toBe(404);
});
