/** `npm run catalog`: imports products from a CSV file, or exports them into one. */

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { problemText } from '../catalog/file-problems.js';
import { importProducts } from '../catalog/import-products.js';
import { planImport } from '../catalog/plan-import.js';
import { exportProducts, shown } from '../catalog/product-file.js';
import { type Database, openDatabase } from '../db/database.js';
import { findPicturePaths } from '../db/pictures.js';
import type { ProductEvent } from '../db/product-changes.js';
import { loadEnvFile } from '../env-file.js';
import { FEATURES } from '../features/index.js';
import { configOrExit } from '../process-lifecycle.js';
import { projectRoot } from '../project-root.js';
import { mergeServices } from '../web/services.js';

const USAGE = `npm run catalog -- import FILE [--stock] [--hide-missing] [--dry-run]
npm run catalog -- export FILE
  --stock          existing products take their stock from the file, too
  --hide-missing   products that the file does not have are hidden
  --dry-run        prints what would change, and changes nothing
docs/adapting.md lists the columns. Exit code: 0 when done, 1 when the file is refused or an error occurs, 2 for invalid options.
`;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = { stock: FLAG, 'hide-missing': FLAG, 'dry-run': FLAG, help: FLAG } as const;

const { values, command, file } = argumentsOrExit();
loadEnvFile();
const { config, secrets } = configOrExit(process.env);
try {
  await using db = openDatabase(secrets.databaseUrl, () => {});
  await db.migrate();
  if (command === 'export') await exportTo(db);
  else await importFrom(db);
} catch (error) {
  process.stderr.write(`The catalog was not ${command}ed: ${error instanceof Error ? error.message : 'unknown'}\n`);
  process.exitCode = 1;
}

function argumentsOrExit() {
  try {
    const { values: options, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [name, path, ...others] = positionals;
    if (options.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if ((name === 'import' || name === 'export') && path && others.length === 0)
      return { values: options, command: name, file: path };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'unknown'}\n`);
  }
  process.stderr.write(USAGE);
  process.exit(2);
}

async function exportTo({ queries }: Database): Promise<void> {
  await writeFile(file, await exportProducts(queries));
  process.stdout.write(`The products were exported to ${file}.\n`);
}

async function importFrom(db: Database): Promise<void> {
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
  if (!result.ok) {
    process.stderr.write(`${file} was refused, and nothing changed:\n${listOf(result.problems.map(problemText))}`);
    process.exitCode = 1;
    return;
  }
  const changesOf = (kind: string) => result.changes.filter((change) => change.kind === kind);
  const [created, changed, hidden] = [changesOf('created'), changesOf('changed'), changesOf('hidden')];
  const counts = `${created.length} new, ${changed.length} changed, ${result.unchanged} unchanged, ${hidden.length} hidden`;
  const lines = listOf([
    ...created.map(({ product }) => `new: ${product.id}`),
    ...changed.map(({ product, detail }) => `changed: ${product.id} (${changesIn(detail)})`),
    ...hidden.map(({ product }) => `hidden: ${product.id}`),
  ]);
  process.stdout.write(`${isDry ? 'Dry run, nothing was written: ' : ''}${counts}\n${lines}`);
  const changedPictures = result.changes.filter(
    ({ kind, detail }) => kind === 'created' || detail['image'] !== undefined,
  );
  const images = changedPictures.map(({ product }) => product.image);
  const { pictureWarnings } = mergeServices(FEATURES);
  const warnings = (await pictureWarnings?.(images, join(projectRoot, 'public'))) ?? [];
  if (warnings.length > 0) process.stdout.write(`Pictures to improve:\n${listOf(warnings)}`);
  const { otherStock } = result;
  if (otherStock === 0) return;
  const products = otherStock === 1 ? '1 product has' : `${otherStock} products have`;
  process.stdout.write(`${products} another stock in the file. Add --stock to take it over.\n`);
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
