/** Discount codes in the back office. */
import { expect, test } from '@jest/globals';
import { refundPayment } from '@tianguis/payments/testing';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { testProducts } from '../../../../test/support/catalog.js';
import { Customer } from '../../../../test/support/customer.js';
import { allAttempts } from '../../../../test/support/inspect.js';
import { payByCard } from '../../../../test/support/purchase.js';
import { refunding, requestOf } from '../../../../test/support/refunds.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { addCode, applyCode } from './support.js';

const shop = await openSharedShop({ profile: 'interface' });
const PATH = '/admin/discounts';
const FORM = { code: 'verano-26', kind: 'percent', value: '15', minimum: '', starts_on: '', ends_on: '', max_uses: '' };

/** The row of a code in the list, as text. */
function rowOf(html: string, code: string): string {
  const row = html.split(`<tr data-code="${code}">`)[1]?.split('</tr>')[0] ?? '';
  return row
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

test('a manager creates a code of each kind, which a customer uses, and ends it', async () => {
  const manager = await openBackOffice(shop);
  const amount = { ...FORM, code: 'MENOS50', kind: 'amount', value: '$1,050.50', minimum: '2000', max_uses: '5' };

  const created = [await manager.send(PATH, FORM), await manager.send(PATH, amount)];
  const { text } = await manager.get(PATH);
  const customer = await Customer.withCart(shop);
  await applyCode(customer, 'Verano-26');
  const ended = [await manager.post(`${PATH}/VERANO-26/end`, {}), await manager.post(`${PATH}/VERANO-26/end`, {})];
  const after = rowOf((await manager.get(PATH)).text, 'VERANO-26');

  expect([...created, ...ended].map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  for (const shown of ['15 %', 'Activo', 'Creado por admin']) expect(rowOf(text, 'VERANO-26')).toContain(shown);
  for (const shown of ['$1,050.50', 'desde $2,000.00', '0 de 5']) expect(rowOf(text, 'MENOS50')).toContain(shown);
  for (const shown of ['Terminado', 'Terminado por admin']) expect(after).toContain(shown);
  expect((await customer.get('/cart')).text).toContain('El código VERANO-26 ya no está disponible');
});

test.each([
  ['code', 'ñandú', 'de 3 a 30 letras'],
  ['code', 'AB', 'de 3 a 30 letras'],
  ['code', '4111-1111-1111-1111', 'tarjeta'],
  ['code', 'DIEZ', 'ya existe'],
  ['kind', 'free', 'Elige el tipo'],
  ['value', '0', 'de 1 a 100'],
  ['value', '101', 'de 1 a 100'],
  ['value', '7.5', 'de 1 a 100'],
  ['minimum', '10,50', 'coma'],
  ['minimum', 'mucho', 'pesos con dos decimales'],
  ['starts_on', '2026-02-30', 'día válido'],
  ['starts_on', '0026-11-27', 'día válido'],
  ['ends_on', '2020-01-01', 'no puede ser anterior'],
  ['max_uses', '0', 'de 1 a 1000000'],
])(
  'a code whose %s is %s is refused at the field, and nothing that was typed is lost',
  async (field, value, message) => {
    await addCode(shop);
    const manager = await openBackOffice(shop);

    const { status, text } = await manager.send(PATH, { ...FORM, minimum: '700', [field]: value });

    expect(status).toBe(422);
    const errors = /id="errors"[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
    expect([errors.includes(`href="#${field}"`), errors.includes(message)]).toEqual([true, true]);
    if (field !== 'minimum') expect(text).toContain('value="700"');
    expect(await shop.queries.selectFrom('discountCodes').select('code').execute()).toEqual([{ code: 'DIEZ' }]);
  },
);

test.each([
  ['percent', '100 %', '100 %', 'percent-100'],
  ['percent', '95', '95 %', 'percent-95'],
  ['amount', '99,999,999', '$99,999,999.00', 'amount-9999999900'],
])(
  'a discount of the kind %s of %s is asked about, and created once it is confirmed',
  async (kind, value, shown, confirmed_value) => {
    const manager = await openBackOffice(shop);
    const typed = { ...FORM, kind, value };

    const asked = await manager.send(PATH, typed);
    const other = await manager.send(PATH, { ...typed, confirmed_value: 'percent-99' });
    const none = await shop.queries.selectFrom('discountCodes').select('code').execute();
    const created = await manager.send(PATH, { ...typed, confirmed_value });

    expect([asked.status, other.status, none, created.status]).toEqual([422, 422, [], 303]);
    expect(asked.text).toContain(`El código quitaría ${shown}`);
    expect(asked.text).toContain(`name="confirmed_value" type="checkbox" value="${confirmed_value}"`);
    expect((await manager.get(PATH)).text).not.toContain('confirmed_value');
  },
);

test('an amount that is small beside the minimum of its code is not asked about', async () => {
  const manager = await openBackOffice(shop);
  const highest = Math.max(...testProducts().map(({ price }) => price)) / 100;

  const small = await manager.send(PATH, { ...FORM, kind: 'amount', value: '1' });
  const large = { ...FORM, code: 'GRANDE', kind: 'amount', value: String(highest) };
  const bare = await manager.send(PATH, large);
  const withMinimum = await manager.send(PATH, { ...large, minimum: String(highest * 2) });

  expect([small.status, bare.status, withMinimum.status]).toEqual([303, 422, 303]);
});

test('a code whose days are over is refused, also if it began before', async () => {
  const manager = await openBackOffice(shop);

  const { status, text } = await manager.send(PATH, { ...FORM, starts_on: '2020-01-01', ends_on: '2020-02-01' });

  expect([status, text.includes('no puede ser anterior')]).toEqual([422, true]);
});

test('the list has the uses of a code and what its paid orders brought less refunds', async () => {
  await addCode(shop, { maxUses: 1 });
  for (const quantity of ['1', '2']) {
    const customer = await Customer.withCart(shop, { quantity });
    await applyCode(customer);
    await payByCard(shop, customer);
    // Money that arrives counts, also above the number of uses.
    await shop.queries.updateTable('discountCodes').set({ maxUses: 2 }).execute();
  }
  await shop.queries.updateTable('discountCodes').set({ maxUses: 1 }).execute();
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');
  await refundPayment(refunding(shop), await requestOf(shop, attempt));

  const row = rowOf((await (await openBackOffice(shop)).get(PATH)).text, 'DIEZ');

  expect(row).toContain('2 de 1');
  expect(row).toContain('$520.20');
});

test('a viewer reads the codes and changes none, and the warehouse does not see them', async () => {
  await addCode(shop);
  await addUser(shop, 'vera', 'viewer');
  await addUser(shop, 'fer', 'fulfillment');
  const [viewer, warehouse] = [await openBackOffice(shop, 'vera'), await openBackOffice(shop, 'fer')];

  const { text } = await viewer.get(PATH);
  const changes = [await viewer.send(PATH, FORM), await viewer.post(`${PATH}/DIEZ/end`, {})];

  expect([text.includes('DIEZ'), text.includes('admin-create-discount'), text.includes('/end"')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([...changes, await warehouse.get(PATH)].map(({ status }) => status)).toEqual([403, 403, 403]);
});
