import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Database, Db } from '../tables/database.js';
import { areUnchanged, lockCatalog, saveProducts } from '../tables/product-changes.js';
import { hasProducts } from '../tables/products.js';
import { lockProducts } from '../tables/stock.js';
import { problemText } from './file-problems.js';
import {
  type ImportChange,
  type ImportOptions,
  type ImportPlan,
  type ImportReport,
  idOf,
  planImport,
  planRows,
  type RefusedImport,
  reportOf,
} from './plan-import.js';
import { cellsOf } from './product-cells.js';

export type ImportResult = RefusedImport | ImportReport;

/** Imports a CSV file into an empty catalog. Safe to call from several processes at the same time. */
export async function importSampleCatalog(
  db: Database,
  file: string,
  options: Omit<ImportOptions, 'by'>,
): Promise<void> {
  if (await hasProducts(db.queries)) return;
  const result = await importProducts(db, await readFile(file), { ...options, by: 'sample catalog' });
  if (!result.ok)
    throw new Error(`${file} cannot be imported:\n  - ${result.problems.map(problemText).join('\n  - ')}`);
}

/**
 * Creates and changes products of a CSV file in one transaction. If the file has a problem, nothing changes, and all
 * problems are returned. Ids and slugs never change. New products are added after the existing ones.
 */
export async function importProducts(db: Database, file: Uint8Array, options: ImportOptions): Promise<ImportResult> {
  const plan = await planImport(db.queries, file, options);
  if (!plan.ok || plan.changes.length === 0) return plan;
  return db.transaction((queries) => writeImport(queries, plan, options));
}

/**
 * Writes a planned import in the caller's transaction. Only products that it changes are locked. With `previewed`, the
 * fingerprint of the changes that a user saw, it writes nothing and returns no problems if they are others now.
 */
export async function writeImport(
  queries: Db,
  plan: ImportPlan,
  options: ImportOptions,
  previewed?: string,
): Promise<ImportResult> {
  const ids = new Set(plan.changes.map(({ product }) => product.id));
  await lockCatalog(queries);
  await lockProducts(queries, [...ids]);
  const changedRows = plan.rows.filter(({ cells }) => ids.has(idOf(cells)));
  // Planning takes longer than writing, while others wait. It is repeated only after a change or sale.
  const isPlanned = await areUnchanged(queries, plan.stored);
  const current = isPlanned ? plan : await planRows(queries, changedRows, options);
  if (!current.ok) return current;
  const changes = current.changes.filter(({ product }) => ids.has(product.id));
  if (previewed !== undefined && fingerprintOf(changes) !== previewed) return { ok: false, problems: [] };
  const saved = changes.map(
    (change) => ({ ...change, kind: change.kind === 'created' ? change.kind : 'changed' }) as const,
  );
  await saveProducts(queries, saved, options);
  return reportOf(changes, { rowCount: plan.rows.length, otherStock: plan.otherStock });
}

/** Returns the SHA-256 of changes as a user reviews them: the cells of new products, and cells before and after. */
export function fingerprintOf(changes: readonly ImportChange[]): string {
  const hash = createHash('sha256');
  for (const { kind, product, detail } of changes)
    hash.update(JSON.stringify([kind, product.id, kind === 'created' ? cellsOf(product) : detail]));
  // Its texts have no run of digits that could be a card number.
  return hash.digest('base64url');
}
