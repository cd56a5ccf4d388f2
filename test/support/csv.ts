import type { Feature } from '../../src/features/feature.js';
import { loadTranslations } from '../../src/locales/translations.js';
import type { Locale } from '../../src/shop/rules/locale.js';
import type { Order } from '../../src/tables/orders.js';
import type { TestShop } from './test-shop.js';

/** Returns a function that returns the cells of a column of the CSV export, by its heading. No cell may contain a comma. */
export function readCsv(text: string): (name: string) => readonly (string | undefined)[] {
  const records = text.slice(1).trimEnd().split('\r\n');
  const [heading = [], ...rows] = records.map((record) => record.split(','));
  return (name) => rows.map((row) => row[heading.indexOf(name)]);
}

/** Returns what a feature adds to the CSV export of an order: the cells by their headings. */
export async function cellsInExport(
  { csvColumns }: Feature,
  { queries }: Pick<TestShop, 'queries'>,
  { id }: Pick<Order, 'id'>,
  locale: Locale = 'es-MX',
): Promise<Readonly<Record<string, string>>> {
  if (!csvColumns) throw new Error('the feature has no columns');
  const t = loadTranslations().in(locale);
  const cells = (await csvColumns.readCells(queries, [id], t)).get(id) ?? [];
  return Object.fromEntries(csvColumns.headings(t).map((heading, index) => [heading, cells[index] ?? '']));
}
