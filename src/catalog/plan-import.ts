/** What an import of a CSV file would change. */

import type { Locale } from '../shop/rules/locale.js';
import { type Product, slugOf } from '../shop/rules/product.js';
import type { Db } from '../tables/database.js';
import { findAllProducts, type ProductEvent, type StoredProduct } from '../tables/product-changes.js';
import { batchesOf } from '../tables/product-words.js';
import { type CellProblem, type FileProblem, MAX_PROBLEMS, type ProblemCode } from './file-problems.js';
import { type Cells, cellsWith, changedCells, type ProductRules, productReader, SLUG_LIMIT } from './product-cells.js';
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
}

export interface RefusedImport {
  readonly ok: false;
  readonly problems: readonly FileProblem[];
}

export interface ImportReport {
  readonly ok: true;
  readonly changes: readonly ImportChange[];
  /** Number of rows that change nothing. */
  readonly unchanged: number;
  /** Number of existing products whose stock differs from the file and stayed, because `stock` was not set. */
  readonly otherStock: number;
}

/** What an import would change, and what it was planned from. */
export interface ImportPlan extends ImportReport {
  readonly rows: readonly ProductRow[];
  readonly stored: readonly StoredProduct[];
}

/** A product that the import writes. */
export interface ImportChange {
  /** `hidden`: the file does not have the product. */
  readonly kind: 'created' | 'changed' | 'hidden';
  readonly product: Product;
  readonly position: number;
  readonly detail: ProductEvent['detail'];
}

/** Compares a CSV file with the stored products. Writes and locks nothing. Other requests run meanwhile. */
export async function planImport(
  queries: Db,
  file: Uint8Array,
  options: ImportOptions,
): Promise<RefusedImport | ImportPlan> {
  const reading = await readProducts(file, options.locale);
  if (!reading.ok) return reading;
  return planRows(queries, reading.rows, options);
}

/** Compares the rows with the stored products. */
export async function planRows(
  queries: Db,
  rows: readonly ProductRow[],
  options: ImportOptions,
): Promise<RefusedImport | ImportPlan> {
  const stored = await findAllProducts(queries);
  const slugOwners = new Map(stored.map(({ product: { id, slug } }) => [slug, ownedBy(id)]));
  const { planned, problems } = await readRows(rows, stored, slugOwners, options);
  const products = [...stored, ...planned].map(({ product }) => product);
  const checkVariant = variantChecker(products, options.locale);
  // A row that cannot be read may be the main product of another one.
  if (problems.length === 0)
    for await (const { from, product } of withPauses(planned))
      problems.push(...checkVariant(product).map((problem) => problemIn(from, problem)));
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
  const makeSlug = slugMaker(slugOwners, options.locale);
  const changes: ImportChange[] = [];
  let lastPosition = stored.at(-1)?.position ?? 0;
  for await (const { before, product } of withPauses(planned)) {
    if (before) {
      changes.push(...changesOf(before, product, options));
      continue;
    }
    const slug = product.slug || makeSlug(product);
    slugOwners.set(slug, ownedBy(product.id));
    lastPosition += 1;
    changes.push({ kind: 'created', product: { ...product, slug }, position: lastPosition, detail: {} });
  }
  if (options.hideMissing) changes.push(...hiddenProducts(stored, rows));
  const stays = planned.filter(({ before, product }) => before && before.product.stock !== product.stock);
  const otherStock = options.stock ? 0 : stays.length;
  return { ...reportOf(changes, { rowCount: rows.length, otherStock }), rows, stored };
}

const ROWS_AT_ONCE = 100;

/** Returns the items one by one. Other requests run meanwhile. */
async function* withPauses<T>(items: readonly T[]): AsyncGenerator<T> {
  for await (const batch of batchesOf(items, ROWS_AT_ONCE)) yield* batch;
}

/** Returns what a row changes of its product. */
function changesOf(
  { product: before, position }: StoredProduct,
  product: Product,
  { stock }: Pick<ImportOptions, 'stock'>,
): readonly ImportChange[] {
  const after = { ...product, slug: before.slug, stock: stock ? product.stock : before.stock };
  const detail = changedCells(before, after);
  return Object.keys(detail).length === 0 ? [] : [{ kind: 'changed', product: after, position, detail }];
}

/** Returns the visible products that the rows do not have, hidden. */
function hiddenProducts(stored: readonly StoredProduct[], rows: readonly ProductRow[]): readonly ImportChange[] {
  const listed = new Set(rows.map(({ cells }) => idOf(cells)));
  return stored
    .filter(({ product }) => product.visible && !listed.has(product.id))
    .map(({ product, position }) => {
      const detail = { visible: ['yes', 'no'] } as const;
      return { kind: 'hidden', product: { ...product, visible: false }, position, detail };
    });
}

/** Why a slug is taken. */
type SlugOwner = Omit<CellProblem<ProblemCode>, 'column'>;

function ownedBy(id: string): SlugOwner {
  return { code: 'slug_of_product', values: { id } };
}

/** Reads the cells of the rows and adds their slugs to `slugOwners`. New products without a slug get theirs later. */
async function readRows(
  rows: readonly ProductRow[],
  stored: readonly StoredProduct[],
  slugOwners: Map<string, SlugOwner>,
  options: ImportOptions,
) {
  const storedById = new Map(stored.map((each) => [each.product.id, each]));
  const firstRows = new Map<string, number>();
  const read = productReader(options);
  const problems: FileProblem[] = [];
  const planned: { from: ProductRow; before: StoredProduct | undefined; product: Product }[] = [];
  for await (const from of withPauses(rows)) {
    if (problems.length >= MAX_PROBLEMS) break;
    const { row, cells } = from;
    const refuse = (...found: readonly CellProblem<ProblemCode>[]) =>
      problems.push(...found.map((problem) => problemIn(from, problem)));
    const id = idOf(cells);
    const firstRow = firstRows.get(id);
    if (firstRow === undefined) firstRows.set(id, row);
    else if (id !== '') refuse({ column: 'id', code: 'repeated_id', values: { row: firstRow } });
    const before = storedById.get(id);
    const reading = read(before ? cellsWith(before.product, cells) : cells);
    if (!reading.ok) {
      refuse(...reading.problems);
      continue;
    }
    const { product } = reading;
    const slugProblem = slugProblemOf(product.slug, before, slugOwners);
    if (slugProblem) refuse({ column: 'slug', ...slugProblem });
    slugOwners.set(product.slug, { code: 'slug_of_row', values: { row } });
    planned.push({ from, before, product });
  }
  return { planned, problems };
}

function problemIn({ row, cells }: ProductRow, problem: CellProblem<ProblemCode>): FileProblem {
  return { row, ...problem, value: shown(cells[problem.column] ?? '') };
}

export function idOf({ id = '' }: Cells): string {
  return id.trim();
}

function slugProblemOf(
  slug: string,
  before: StoredProduct | undefined,
  owners: ReadonlyMap<string, SlugOwner>,
): SlugOwner | undefined {
  if (slug === '' || slug === before?.product.slug) return undefined;
  return before ? { code: 'fixed_slug', values: { slug: before.product.slug } } : owners.get(slug);
}

export function reportOf(
  changes: readonly ImportChange[],
  { rowCount, otherStock }: { readonly rowCount: number; readonly otherStock: number },
): ImportReport {
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
