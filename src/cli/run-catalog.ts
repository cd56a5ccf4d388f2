/** The command `npm run catalog`: imports products from a CSV file, or exports them into one. */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { problemText } from '../catalog/file-problems.js';
import { importProducts } from '../catalog/import-products.js';
import { planImport } from '../catalog/plan-import.js';
import { exportProducts, shown } from '../catalog/product-file.js';
import type { Config } from '../config/config.js';
import { FEATURES } from '../features/index.js';
import { projectRoot } from '../project-root.js';
import { type Database, openDatabase } from '../tables/database.js';
import { findPicturePaths } from '../tables/pictures.js';
import type { ProductEvent } from '../tables/product-changes.js';
import { mergeServices } from '../web/services.js';
import type { CommandProcess, CommandResult } from './command-process.js';

const USAGE = `npm run catalog -- import FILE [--stock] [--hide-missing] [--dry-run] [--json]
npm run catalog -- export FILE [--json]
  --stock          existing products take their stock from the file, too
  --hide-missing   products that the file does not have are hidden
  --dry-run        prints what would change, and changes nothing
  --json           prints one JSON object, also for a refused file
docs/adapting.md lists the columns. Exit code: 0 when done, 1 when the file is refused or an error occurs, 2 for invalid options.
`;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = { stock: FLAG, 'hide-missing': FLAG, 'dry-run': FLAG, json: FLAG } as const;

/** A command of the arguments. */
interface Call {
  readonly values: Readonly<Record<keyof typeof OPTIONS, boolean>>;
  readonly command: 'import' | 'export';
  readonly file: string;
}

/** Errors are part of the result. */
export async function runCatalog(args: readonly string[], { readSettings }: CommandProcess): Promise<CommandResult> {
  if (args.includes('--help')) return { code: 0, stdout: USAGE, stderr: '' };
  const call = parseCall(args);
  if ('problem' in call) return { code: 2, stdout: '', stderr: call.problem + USAGE };
  const { config, secrets } = readSettings();
  try {
    await using db = openDatabase(secrets.databaseUrl, () => {});
    await db.migrate();
    return call.command === 'export' ? await exportTo(db, call) : await importFrom(db, config, call);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    return { code: 1, stdout: '', stderr: `The catalog was not ${call.command}ed: ${reason}\n` };
  }
}

function parseCall(args: readonly string[]): Call | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [command, file, ...others] = positionals;
    if ((command === 'import' || command === 'export') && file && others.length === 0) return { values, command, file };
    return { problem: '' };
  } catch (error) {
    return { problem: `${error instanceof Error ? error.message : 'unknown'}\n` };
  }
}

async function exportTo({ queries }: Database, { file, values }: Call): Promise<CommandResult> {
  await writeFile(file, await exportProducts(queries));
  return done(values.json ? json({ file }) : `The products were exported to ${file}.\n`);
}

async function importFrom(db: Database, config: Config, { file, values }: Call): Promise<CommandResult> {
  if (!existsSync(file)) throw new Error(`the file ${file} does not exist`);
  const uploaded = new Set(await findPicturePaths(db.queries));
  const options = {
    locale: config.locales[0],
    hasPicture: (path: string) => uploaded.has(path) || existsSync(join(projectRoot, 'public', path)),
    at: Date.now(),
    by: 'catalog import',
    stock: values.stock,
    hideMissing: values['hide-missing'],
  };
  const content = await readFile(file);
  const isDry = values['dry-run'];
  const result = await (isDry ? planImport(db.queries, content, options) : importProducts(db, content, options));
  if (!result.ok) return refused(result.problems.map(problemText), file, values.json);
  const changesOf = (kind: string) => result.changes.filter((change) => change.kind === kind);
  const changedPictures = result.changes.filter(
    ({ kind, detail }) => kind === 'created' || detail['image'] !== undefined,
  );
  const images = changedPictures.map(({ product }) => product.image);
  const { pictureWarnings } = mergeServices(FEATURES);
  const warnings = (await pictureWarnings?.(images, join(projectRoot, 'public'))) ?? [];
  const report: ImportReport = {
    isDryRun: isDry,
    created: changesOf('created').map(({ product }) => product.id),
    changed: changesOf('changed').map(({ product, detail }) => ({ id: product.id, detail })),
    unchanged: result.unchanged,
    hidden: changesOf('hidden').map(({ product }) => product.id),
    otherStock: result.otherStock,
    pictureWarnings: warnings,
  };
  return done(values.json ? json(report) : describeImport(report));
}

const json = (report: object) => `${JSON.stringify(report)}\n`;
const done = (stdout: string): CommandResult => ({ code: 0, stdout, stderr: '' });

function refused(problems: readonly string[], file: string, isJson: boolean): CommandResult {
  const text = `${file} was refused, and nothing changed:\n${listOf(problems)}`;
  return { code: 1, stdout: isJson ? json({ problems }) : '', stderr: isJson ? '' : text };
}

/** What the import changed, or would change. Products are named by their ids. */
interface ImportReport {
  readonly isDryRun: boolean;
  readonly created: readonly string[];
  readonly changed: readonly { readonly id: string; readonly detail: ProductEvent['detail'] }[];
  readonly unchanged: number;
  readonly hidden: readonly string[];
  /** Products whose stock in the file was not taken over. */
  readonly otherStock: number;
  readonly pictureWarnings: readonly string[];
}

function describeImport({ isDryRun, created, changed, hidden, ...report }: ImportReport): string {
  const counts = `${created.length} new, ${changed.length} changed, ${report.unchanged} unchanged, ${hidden.length} hidden`;
  const lines = listOf([
    ...created.map((id) => `new: ${id}`),
    ...changed.map(({ id, detail }) => `changed: ${id} (${changesIn(detail)})`),
    ...hidden.map((id) => `hidden: ${id}`),
  ]);
  const { otherStock, pictureWarnings: warnings } = report;
  const products = otherStock === 1 ? '1 product has' : `${otherStock} products have`;
  return [
    `${isDryRun ? 'Dry run, nothing was written: ' : ''}${counts}\n${lines}`,
    warnings.length > 0 ? `Pictures to improve:\n${listOf(warnings)}` : '',
    otherStock > 0 ? `${products} another stock in the file. Add --stock to take it over.\n` : '',
  ].join('');
}

/** Returns the changed cells, as `price 289.00 → 2890.00`. */
function changesIn(detail: ProductEvent['detail']): string {
  const shownCell = (cell: string) => (cell === '' ? 'empty' : shown(cell));
  return Object.entries(detail)
    .map(([column, [before, after]]) => `${column} ${shownCell(before)} → ${shownCell(after)}`)
    .join(', ');
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}\n`).join('');
}
