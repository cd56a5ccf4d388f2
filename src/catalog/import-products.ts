import { readFile } from 'node:fs/promises';
import type { Database, Db } from '../db/database.js';
import {
  areUnchanged,
  findAllProducts,
  lockCatalog,
  type ProductEvent,
  recordProductEvents,
  type StoredProduct,
  writeProducts,
} from '../db/product-changes.js';
import { hasProducts } from '../db/products.js';
import { lockProducts } from '../db/stock.js';
import type { Locale } from '../shop/rules/locale.js';
import { type Product, slugOf } from '../shop/rules/product.js';
import {
  type CellProblem,
  type Cells,
  cellsWith,
  changedCells,
  type ProductRules,
  productReader,
  SLUG_LIMIT,
} from './product-cells.js';
import { type ProductRow, readProducts, shown } from './product-file.js';
import { variantChecker } from './variant-problems.js';

export interface ImportOptions extends ProductRules {
  readonly at: number;
  /** Author in the history. */
  readonly by: string;
  /** Existing products take their stock from the file, too. */
  readonly stock?: boolean;
  /** Products that the file does not have are hidden. */
  readonly hideMissing?: boolean;
  /** Nothing is written. */
  readonly dryRun?: boolean;
}

export type ImportResult =
  | { readonly ok: false; readonly problems: readonly string[] }
  | {
      readonly ok: true;
      readonly changes: readonly ImportChange[];
      /** Number of rows that change nothing. */
      readonly unchanged: number;
      /** Number of existing products whose stock differs from the file and stayed, because `stock` was not set. */
      readonly otherStock: number;
    };

/** A product that the import writes. */
interface ImportChange {
  /** `hidden`: the file does not have the product. */
  readonly kind: 'created' | 'changed' | 'hidden';
  readonly product: Product;
  readonly position: number;
  readonly detail: ProductEvent['detail'];
}

/** Imports a CSV file into an empty catalog. Safe to call from several processes at the same time. */
export async function importSampleCatalog(
  db: Database,
  file: string,
  options: Omit<ImportOptions, 'by'>,
): Promise<void> {
  if (await hasProducts(db.queries)) return;
  const result = await importProducts(db, await readFile(file), { ...options, by: 'sample catalog' });
  if (!result.ok) throw new Error(`${file} cannot be imported:\n  - ${result.problems.join('\n  - ')}`);
}

/**
 * Creates and changes products of a CSV file in one transaction. If the file has a problem, nothing changes, and all
 * problems are returned. Ids and slugs never change. New products are added after the existing ones.
 */
export async function importProducts(db: Database, file: Uint8Array, options: ImportOptions): Promise<ImportResult> {
  const reading = readProducts(file, options.locale);
  if (!reading.ok) return reading;
  const { rows } = reading;
  // Planned without locks first, so that only products that change are locked. A refused file locks nothing.
  const preview = await planImport(db.queries, rows, options);
  if (preview.problems.length > 0) return { ok: false, problems: preview.problems };
  const { otherStock } = preview;
  if (options.dryRun || preview.changes.length === 0)
    return resultOf(preview.changes, { rowCount: rows.length, otherStock });
  const write = async (queries: Db): Promise<ImportResult> => {
    const ids = new Set(preview.changes.map(({ product }) => product.id));
    await lockCatalog(queries);
    await lockProducts(queries, [...ids]);
    const changedRows = rows.filter(({ cells }) => ids.has(idOf(cells)));
    // Planning takes longer than writing, while others wait. It is repeated only after a change or sale.
    const isPlanned = await areUnchanged(queries, preview.stored);
    const { changes, problems } = isPlanned ? preview : await planImport(queries, changedRows, options);
    if (problems.length > 0) return { ok: false, problems };
    const locked = changes.filter(({ product }) => ids.has(product.id));
    await writeProducts(queries, locked, options.at);
    await recordProductEvents(
      queries,
      locked.map((change) => ({
        productId: change.product.id,
        at: options.at,
        by: options.by,
        kind: change.kind === 'created' ? 'created' : 'changed',
        detail: change.detail,
      })),
    );
    return resultOf(locked, { rowCount: rows.length, otherStock });
  };
  return db.transaction(write);
}

/** Compares the rows with the stored products. */
async function planImport(queries: Db, rows: readonly ProductRow[], options: ImportOptions) {
  const stored = await findAllProducts(queries);
  const slugOwners = new Map(stored.map(({ product: { id, slug } }) => [slug, `the product "${id}"`]));
  const { planned, problems } = readRows(rows, stored, slugOwners, options);
  const products = [...stored, ...planned].map(({ product }) => product);
  const checkVariant = variantChecker(products, options.locale);
  // A row that cannot be read may be the main product of another one.
  if (problems.length === 0)
    for (const { from, product } of planned)
      problems.push(...checkVariant(product).map((problem) => problemText(from, problem)));
  const makeSlug = slugMaker(slugOwners, options.locale);
  let otherStock = 0;
  let lastPosition = stored.at(-1)?.position ?? 0;
  const changes = planned.flatMap(({ before, product }): ImportChange[] => {
    if (before) {
      const stock = options.stock ? product.stock : before.product.stock;
      if (stock !== product.stock) otherStock += 1;
      const after = { ...product, slug: before.product.slug, stock };
      const detail = changedCells(before.product, after);
      if (Object.keys(detail).length === 0) return [];
      return [{ kind: 'changed', product: after, position: before.position, detail }];
    }
    const slug = product.slug || makeSlug(product);
    slugOwners.set(slug, `the product "${product.id}"`);
    lastPosition += 1;
    return [{ kind: 'created', product: { ...product, slug }, position: lastPosition, detail: {} }];
  });
  if (!options.hideMissing) return { stored, changes, problems, otherStock };
  const listed = new Set(rows.map(({ cells }) => idOf(cells)));
  const hidden = stored
    .filter(({ product }) => product.visible && !listed.has(product.id))
    .map(({ product, position }): ImportChange => {
      const detail = { visible: ['yes', 'no'] } as const;
      return { kind: 'hidden', product: { ...product, visible: false }, position, detail };
    });
  return { stored, changes: [...changes, ...hidden], problems, otherStock };
}

/** Reads the cells of the rows and adds their slugs to `slugOwners`. New products without a slug get theirs later. */
function readRows(
  rows: readonly ProductRow[],
  stored: readonly StoredProduct[],
  slugOwners: Map<string, string>,
  options: ImportOptions,
) {
  const storedById = new Map(stored.map((each) => [each.product.id, each]));
  const firstRows = new Map<string, number>();
  const read = productReader(options);
  const problems: string[] = [];
  const planned: { from: ProductRow; before: StoredProduct | undefined; product: Product }[] = [];
  for (const from of rows) {
    const { row, cells } = from;
    const refuse = (column: string, text: string) => problems.push(problemText(from, { column, text }));
    const id = idOf(cells);
    const firstRow = firstRows.get(id);
    if (firstRow === undefined) firstRows.set(id, row);
    else if (id !== '') refuse('id', `is also the id of row ${firstRow}`);
    const before = storedById.get(id);
    const reading = read(before ? cellsWith(before.product, cells) : cells);
    if (!reading.ok) {
      for (const { column, text } of reading.problems) refuse(column, text);
      continue;
    }
    const { product } = reading;
    const slugProblem = slugProblemOf(product.slug, before, slugOwners);
    if (slugProblem) refuse('slug', slugProblem);
    slugOwners.set(product.slug, `row ${row}`);
    planned.push({ from, before, product });
  }
  return { planned, problems };
}

function problemText({ row, cells }: ProductRow, { column, text }: CellProblem): string {
  const value = cells[column];
  return `row ${row}, ${column}: ${value ? `"${shown(value)}" ` : ''}${text}`;
}

function idOf({ id = '' }: Cells): string {
  return id.trim();
}

function slugProblemOf(
  slug: string,
  before: StoredProduct | undefined,
  owners: ReadonlyMap<string, string>,
): string | undefined {
  if (slug === '' || slug === before?.product.slug) return undefined;
  if (before) return `cannot change: the slug of this product is "${before.product.slug}"`;
  return owners.has(slug) ? `is also the slug of ${owners.get(slug)}` : undefined;
}

function resultOf(
  changes: readonly ImportChange[],
  { rowCount, otherStock }: { readonly rowCount: number; readonly otherStock: number },
): ImportResult {
  const changedRows = changes.filter(({ kind }) => kind !== 'hidden');
  return { ok: true, changes, unchanged: rowCount - changedRows.length, otherStock };
}

/** Returns a function that makes a slug from the name in the required locale. It appends a number if the slug is taken. */
export function slugMaker(
  owners: Pick<ReadonlyMap<string, unknown>, 'has'>,
  locale: Locale,
): (product: Product) => string {
  const numbers = new Map<string, number>();
  return ({ name, id }) => {
    const slug = (slugOf(name[locale] ?? '') || slugOf(id) || 'product').slice(0, SLUG_LIMIT - 6);
    const start = slug.replace(/-$/, '');
    const numbered = (number: number) => (number === 1 ? start : `${start}-${number}`);
    let number = numbers.get(start) ?? 1;
    while (owners.has(numbered(number))) number += 1;
    numbers.set(start, number);
    return numbered(number);
  };
}
