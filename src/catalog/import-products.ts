import type { Database, Queries } from '../db/database.js';
import {
  type CatalogIndex,
  lockCatalog,
  lockStoredProducts,
  readCatalogIndex,
  recordProductEvents,
  type StoredProduct,
  writeProducts,
} from '../db/product-changes.js';
import { type Product, slugOf } from '../domain/product.js';
import {
  type CellProblem,
  type Cells,
  type ChangedCells,
  cellsOf,
  changedCells,
  type ProductRules,
  productReader,
  SLUG_LIMIT,
} from './product-cells.js';
import { type ProductRow, shown } from './read-products.js';

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
      readonly created: readonly string[];
      readonly changed: readonly { readonly id: string; readonly columns: readonly string[] }[];
      readonly unchanged: number;
      /** Products that were hidden because the file does not have them. */
      readonly hidden: readonly string[];
    };

/**
 * Creates and changes products in one transaction. If the file has a problem, nothing changes, and all problems are
 * returned. Ids and slugs never change. New products are added after the existing ones.
 */
export async function importProducts(
  db: Database,
  rows: readonly ProductRow[],
  options: ImportOptions,
): Promise<ImportResult> {
  const listed = new Set(rows.map(({ cells }) => idOf(cells)));
  // Planned without locks first, so that a large file with few changes does not delay the checkouts.
  const preview = await planImport(db.queries, rows, { ...options, listed });
  if (preview.problems.length > 0) return { ok: false, problems: preview.problems };
  if (options.dryRun || preview.changes.length === 0) return resultOf(preview.changes, rows.length);
  const changedRows = preview.changes.flatMap(({ row }) => row ?? []);
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    const { changes, problems } = await planImport(queries, changedRows, { ...options, listed });
    if (problems.length > 0) return { ok: false, problems };
    await write(queries, changes, options);
    return resultOf(changes, rows.length);
  });
}

/** A product to be written. */
interface Change {
  /** `undefined`: the file does not have the product. */
  readonly row: ProductRow | undefined;
  /** `undefined`: the product is new. */
  readonly before: StoredProduct | undefined;
  readonly after: Product;
  readonly position: number;
  readonly detail: ChangedCells;
}

interface Plan {
  readonly changes: readonly Change[];
  readonly problems: readonly string[];
}

interface PlanOptions extends ImportOptions {
  /** The ids of all rows of the file. */
  readonly listed: ReadonlySet<string>;
}

/** Compares rows with the stored products. In a transaction, locks these products. */
async function planImport(
  queries: Queries,
  rows: readonly ProductRow[],
  options: PlanOptions,
): Promise<Plan> {
  const { listed, hideMissing = false } = options;
  const index = await readCatalogIndex(queries);
  const absent = hideMissing
    ? index.products.filter(({ id, visible }) => visible === 1 && !listed.has(id)).map(({ id }) => id)
    : [];
  const ids = rows.map(({ cells }) => idOf(cells));
  const stored = await lockStoredProducts(queries, [...ids, ...absent]);
  const plan = planRows(rows, { ...options, index, stored });
  const hidden = absent.flatMap((id): Change[] => {
    const before = stored.get(id);
    if (!before) return [];
    const detail = { visible: ['yes', 'no'] } as const;
    const after = { ...before.product, visible: false };
    return [{ row: undefined, before, after, position: before.position, detail }];
  });
  return { ...plan, changes: [...plan.changes, ...hidden] };
}

interface Comparison extends ImportOptions {
  readonly index: CatalogIndex;
  readonly stored: ReadonlyMap<string, StoredProduct>;
}

function planRows(rows: readonly ProductRow[], { index, stored, stock, ...rules }: Comparison): Plan {
  const read = productReader(rules);
  const problems = repeatedIds(rows);
  const planned = rows.flatMap((row): PlannedRow[] => {
    const before = stored.get(idOf(row.cells));
    const reading = read(
      before ? { ...cellsOf(before.product), ...givenCells(row.cells, stock) } : row.cells,
    );
    if (reading.ok) return [{ row, before, product: reading.product }];
    problems.push(...reading.problems.map((problem) => problemAt(row, problem)));
    return [];
  });
  const owners = new Map(index.products.map(({ slug, id }) => [slug, `the product "${id}"`]));
  problems.push(...planned.flatMap((each) => slugProblem(each, owners) ?? []));
  let { lastPosition } = index;
  const changes = planned.flatMap(({ before, product, row }): Change[] => {
    const slug = before?.product.slug || product.slug || freeSlug(product, owners, rules);
    owners.set(slug, `row ${row.row}`);
    const after = { ...product, slug };
    const detail = before ? changedCells(before.product, after) : {};
    if (!before) lastPosition += 1;
    else if (Object.keys(detail).length === 0) return [];
    return [{ row, before, after, position: before?.position ?? lastPosition, detail }];
  });
  return { changes, problems };
}

function resultOf(changes: readonly Change[], rowCount: number): ImportResult {
  const written = changes.filter(({ row }) => row);
  return {
    ok: true,
    created: written.filter(({ before }) => !before).map(({ after }) => after.id),
    changed: written
      .filter(({ before }) => before)
      .map(({ after, detail }) => ({ id: after.id, columns: Object.keys(detail) })),
    unchanged: rowCount - written.length,
    hidden: changes.filter(({ row }) => !row).map(({ after }) => after.id),
  };
}

/** A row with valid cells. The slug is empty if it is to be made from the name. */
interface PlannedRow {
  readonly row: ProductRow;
  readonly before: StoredProduct | undefined;
  readonly product: Product;
}

function repeatedIds(rows: readonly ProductRow[]): string[] {
  const first = new Map<string, number>();
  return rows.flatMap((row) => {
    const id = idOf(row.cells);
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, row.row);
    if (earlier === undefined || id === '') return [];
    return [problemAt(row, { column: 'id', text: `is also the id of row ${earlier}` })];
  });
}

/** Refuses a changed or repeated slug, and adds the slug of a new product to the owners. */
function slugProblem({ row, before, product }: PlannedRow, owners: Map<string, string>): string | undefined {
  const { slug } = product;
  const refuse = (text: string) => problemAt(row, { column: 'slug', text });
  if (before && slug !== before.product.slug && slug !== '')
    return refuse(`cannot change: the slug of this product is "${before.product.slug}"`);
  if (before || slug === '') return undefined;
  const owner = owners.get(slug);
  owners.set(slug, `row ${row.row}`);
  return owner && refuse(`is also the slug of ${owner}`);
}

function problemAt({ row, cells }: ProductRow, { column, text }: CellProblem): string {
  const value = cells[column];
  return `row ${row}, ${column}: ${value ? `"${shown(value)}" ` : ''}${text}`;
}

function idOf({ id = '' }: Cells): string {
  return id.trim();
}

/** Returns the cells that change an existing product. Its stock follows the sales, not the file. */
function givenCells(given: Cells, stock: boolean | undefined): Cells {
  const { stock: _, ...others } = given;
  return stock ? given : others;
}

/** Makes a slug from the name in the required locale, with a number if it is taken. */
function freeSlug(
  { name, id }: Product,
  owners: ReadonlyMap<string, string>,
  { locale }: ProductRules,
): string {
  const slug = (slugOf(name[locale] ?? '') || slugOf(id) || 'product').slice(0, SLUG_LIMIT - 6);
  const start = slug.replace(/-$/, '');
  let free = start;
  for (let number = 2; owners.has(free); number += 1) free = `${start}-${number}`;
  return free;
}

async function write(queries: Queries, changes: readonly Change[], { at, by }: ImportOptions): Promise<void> {
  const products = changes.map(({ after, position }) => ({ product: after, position }));
  await writeProducts(queries, products, at);
  await recordProductEvents(
    queries,
    changes.map(({ before, after, detail }) => ({
      ...{ productId: after.id, at, by, detail },
      kind: before ? 'changed' : 'created',
    })),
  );
}
