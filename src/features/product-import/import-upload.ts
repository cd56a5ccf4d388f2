/** A previewed file of products, stored for the session until it is applied. */
import { fingerprintOf, type ImportResult, writeImport } from '../../catalog/import-products.js';
import { type ImportOptions, type ImportPlan, planImport } from '../../catalog/plan-import.js';
import type { Database, Db } from '../../tables/database.js';
import { findTypedForm, putTypedForm } from '../../tables/typed-forms.js';
import { productImportPaths } from './paths.js';

export interface PreviewedFile {
  readonly file: string;
  /** Existing products take their stock from the file, too. */
  readonly stock: boolean;
  /** Products that the file does not have are hidden. */
  readonly hideMissing: boolean;
  /** That of the changes that the user saw. */
  readonly fingerprint: string;
}

/** What is left of a file that was applied, so that the second click of a double click finds it. */
interface AppliedFile {
  readonly applied: string;
}

/** The rules of a product, with time and author of the import. */
export type Rules = Omit<ImportOptions, 'stock' | 'hideMissing'>;

/** As long as a typed form. */
const LIFETIME_MS = 60 * 60 * 1000;

/** Returns the file that the session previewed last, or that it was applied. */
export async function findPreviewed(
  queries: Db,
  sid: string,
  at: number,
): Promise<PreviewedFile | AppliedFile | undefined> {
  const content = await findTypedForm(queries, { sid, page: productImportPaths.applyImport }, at);
  return content === undefined ? undefined : (JSON.parse(content) as PreviewedFile | AppliedFile);
}

/** Compares a file with the catalog, and stores it for the session if it could be applied. */
export async function previewFile(
  queries: Db,
  sid: string,
  { file, stock, hideMissing }: Omit<PreviewedFile, 'fingerprint'>,
  rules: Rules,
): Promise<PreviewResult> {
  const plan = await planImport(queries, Buffer.from(file), { ...rules, stock, hideMissing });
  if (!plan.ok) return plan;
  const fingerprint = fingerprintOf(plan.changes);
  await store(queries, sid, { file, stock, hideMissing, fingerprint }, rules.at);
  return { ...plan, fingerprint };
}

export type PreviewResult = Extract<ImportResult, { ok: false }> | (ImportPlan & Pick<PreviewedFile, 'fingerprint'>);

/**
 * Applies the previewed file if its changes are those that the user saw. Otherwise writes nothing and returns false: the
 * catalog changed meanwhile, or the file was applied already.
 */
export async function applyPreviewed(
  db: Database,
  sid: string,
  { file, fingerprint, ...options }: PreviewedFile,
  rules: Rules,
): Promise<boolean> {
  const all = { ...rules, ...options };
  const plan = await planImport(db.queries, Buffer.from(file), all);
  if (!plan.ok || fingerprintOf(plan.changes) !== fingerprint) return false;
  return db.transaction(async (queries) => {
    const { ok } = await writeImport(queries, plan, all, fingerprint);
    if (ok) await store(queries, sid, { applied: fingerprint }, rules.at);
    return ok;
  });
}

function store(queries: Db, sid: string, form: PreviewedFile | AppliedFile, at: number): Promise<void> {
  const content = JSON.stringify(form);
  return putTypedForm(queries, { sid, page: productImportPaths.applyImport, content, expiresAt: at + LIFETIME_MS });
}
