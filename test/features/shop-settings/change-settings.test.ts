import { expect, test } from '@jest/globals';
import { changeSettings, undoChange } from '../../../src/features/shop-settings/change-settings.js';
import { findChanges } from '../../../src/features/shop-settings/repository.js';
import { openSharedShop } from '../../support/shared-shop.js';

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
  expect(await undo(2)).toEqual({ kind: 'changed_meanwhile' });
  const [last] = await findChanges(shop.queries, { limit: 1 });
  expect(last?.kind).toBe('undone');
});

test('of two changes at the same moment, one is stored', async () => {
  const results = await Promise.all(['Casa Luz', 'Casa Sol'].map((name) => change({ 'brand.name': name }, 0)));

  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed_meanwhile']);
  expect(await findChanges(shop.queries, { limit: 10 })).toHaveLength(1);
});
