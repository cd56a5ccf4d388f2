import { expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { changeSettings, undoChange } from '../change-settings.js';
import { findChanges } from '../repository.js';

const shop = await openSharedShop();
const { checkout } = shop.context;
const stored = () => Object.fromEntries(checkout.settings.current().storedSettings);
const seen = () => checkout.settings.current().settingsVersion;

function change(values: Readonly<Record<string, unknown>>, seenVersion = seen()) {
  return changeSettings(checkout, { values, seenVersion, by: 'ana', kind: 'changed' }, shop.clock.now());
}

test('a change stores what differs, is shown at once and is logged with its user', async () => {
  await change({ 'brand.name': 'Casa Luz' });
  const result = await change({ 'brand.name': 'Casa Luz', 'brand.merchant.phone': '55 1234 5678' });

  expect(result).toEqual({ kind: 'changed', version: 2 });
  expect(stored()).toEqual({ 'brand.name': 'Casa Luz', 'brand.merchant.phone': '55 1234 5678' });
  const [last] = await findChanges(shop.queries, { limit: 10 });
  expect(last?.values).toEqual([{ name: 'brand.merchant.phone', value: '55 1234 5678', before: null }]);
  expect(shop.logged.filter((line) => line.includes('settings.changed') && line.includes('ana'))).toHaveLength(2);
  expect(await change({ 'brand.name': 'Casa Luz' })).toEqual({ kind: 'unchanged' });
});

test('a form that was shown before another change of the same name is refused, and one of another name is not', async () => {
  await change({ 'brand.name': 'Casa Luz' });

  expect(await change({ 'brand.name': 'Casa Sol' }, 0)).toEqual({ kind: 'changed_meanwhile' });
  expect(await change({ 'brand.whatsapp': '55 1234 5678' }, 0)).toEqual({ kind: 'changed', version: 2 });
  expect(stored()).toEqual({ 'brand.name': 'Casa Luz', 'brand.whatsapp': '55 1234 5678' });
});

test('an undone change gives back the values before it, and only until one of them changes again', async () => {
  await change({ 'brand.name': 'Casa Luz' });
  await change({ 'brand.name': 'Casa Sol', 'brand.whatsapp': '55 1234 5678' });
  const undo = (version: number) => undoChange(checkout, { version, by: 'ana' }, shop.clock.now());

  expect(await undo(1)).toEqual({ kind: 'changed_meanwhile' });
  expect(await undo(2)).toEqual({ kind: 'changed', version: 3 });
  expect(stored()).toEqual({ 'brand.name': 'Casa Luz' });
  // The second click of a double click.
  expect(await undo(2)).toEqual({ kind: 'unchanged' });
  const [last] = await findChanges(shop.queries, { limit: 1 });
  expect(last?.kind).toBe('undone');
});

test('of two changes at the same moment, one is stored', async () => {
  const results = await Promise.all(['Casa Luz', 'Casa Sol'].map((name) => change({ 'brand.name': name }, 0)));

  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed_meanwhile']);
  expect(await findChanges(shop.queries, { limit: 10 })).toHaveLength(1);
});

test('of two managers who save the same form in two processes at once, one is asked to check it', async () => {
  await using door = await openDoor((await shop.openReplica()).web);
  const managers = await Promise.all([shop, door].map((each) => openBackOffice(each)));
  const form = (name: string) => ({ version: '0', 'brand.name': name, 'brand.color': '#a1173f' });

  const answers = await Promise.all(
    managers.map((manager, index) => manager.post('/admin/shop/brand', form(`Casa ${index}`))),
  );

  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 409]);
  expect(await findChanges(shop.queries, { limit: 10 })).toHaveLength(1);
});

test('a form of another site, of a user without the role manager, and of no form changes nothing', async () => {
  await addUser(shop, 'berta', 'viewer');
  const [manager, viewer] = [await openBackOffice(shop), await openBackOffice(shop, 'berta')];
  const form = { version: '0', 'brand.name': 'Casa Luz' };
  const foreign = manager.agent.post('/admin/shop/brand').set('Sec-Fetch-Site', 'cross-site').type('form').send(form);

  expect((await foreign).status).toBe(403);
  expect((await viewer.post('/admin/shop/brand', form)).status).toBe(403);
  expect((await viewer.get('/admin')).text).not.toContain('href="/admin/shop"');
  expect((await manager.post('/admin/shop/none', form)).status).toBe(404);
  expect((await manager.post('/admin/shop/brand', { 'brand.name': 'Casa Luz' })).status).toBe(303);
  expect((await manager.post('/admin/shop/brand', { 'brand.name': 'Casa Sol' })).status).toBe(409);
  expect(stored()).toEqual({ 'brand.name': 'Casa Luz' });
});

test('a change after which the next process would not start is refused, and so is one that is undone to it', async () => {
  const findProblems = async (values: ReadonlyMap<string, unknown>) =>
    values.get('brand.name') === 'Luz' ? [] : ['sample'];
  const inProduction = { ...checkout, settings: { ...checkout.settings, findProblems } };
  const input = { seenVersion: 9, by: 'ana', kind: 'changed' } as const;
  const name = (value: string | null) =>
    changeSettings(inProduction, { ...input, values: { 'brand.name': value } }, shop.clock.now());

  expect(await name('Luz')).toEqual({ kind: 'changed', version: 1 });
  expect(await name(null)).toEqual({ kind: 'sample' });
  expect(await undoChange(inProduction, { version: 1, by: 'ana' }, shop.clock.now())).toEqual({ kind: 'sample' });
  expect(stored()).toEqual({ 'brand.name': 'Luz' });
});
