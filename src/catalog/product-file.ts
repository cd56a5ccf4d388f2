/** Products as a CSV file. */
import { setImmediate } from 'node:timers/promises';
import { plainText } from '@tianguis/payments/rules';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { Locale } from '../shop/rules/locale.js';
import type { Db } from '../tables/database.js';
import { findAllProducts } from '../tables/product-changes.js';
import { batchesOf } from '../tables/product-words.js';
import { readSeparator } from './csv-separator.js';
import { type FileProblem, MAX_PROBLEMS } from './file-problems.js';
import { type Cells, COLUMNS, cellsOf, isOfOtherLanguage, requiredColumns } from './product-cells.js';

/** A row of a file below its heading. */
export interface ProductRow {
  /** Number in the spreadsheet. The heading is row 1. */
  readonly row: number;
  /** The cells of the file's columns. A column that the file does not have is absent. */
  readonly cells: Cells;
}

export type FileReading =
  | { readonly ok: true; readonly rows: readonly ProductRow[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

const MAX_ROWS = 50_000;
/** Of a row. Spreadsheets write empty cells, too. */
const MAX_COLUMNS = 200;
const MAX_CELLS = 2_000_000;
const MAX_ROW_LENGTH = 100_000;
/** Bytes that are parsed at once. Other requests run between two parts. */
const PART_BYTES = 4 * 1024;
/** Characters whose cells are counted at once. */
const COUNTED_AT_ONCE = 256 * 1024;

/** Returns every product as CSV, in display order. An import of the result changes nothing. */
export async function exportProducts(queries: Db): Promise<string> {
  // Excel reads a file as UTF-8 only with a byte order mark.
  const parts = [`\ufeff${COLUMNS.join()}\r\n`];
  for await (const batch of batchesOf(await findAllProducts(queries))) {
    const records = batch.map(({ product }) => cellsOf(product));
    // RFC 4180. The package looks for the whole record delimiter only.
    parts.push(stringify(records, { columns: COLUMNS, record_delimiter: '\r\n', quoted_match: /[\r\n]/ }));
  }
  return parts.join('');
}

/**
 * Parses a CSV file in UTF-8 with the separator `,` or `;`, or the one of its line `sep=`, and checks its columns. Empty rows
 * and columns are ignored, and so are texts in a language that the shop does not have. A row may end before its empty cells.
 * The values are not checked. `locale` is the locale of the required texts.
 */
export async function readProducts(bytes: Uint8Array, locale: Locale): Promise<FileReading> {
  let records: readonly (readonly string[])[];
  try {
    const file = readSeparator(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const problem = await findSizeProblem(file);
    if (problem) return refused(problem);
    records = await parseCsv(file);
  } catch (error) {
    if (!(error instanceof CsvError)) return refused({ code: 'not_utf8' });
    return refused({ code: 'no_csv', values: { line: Number(error['lines']) } });
  }
  const filled: SpreadsheetRow[] = [];
  for await (const batch of batchesOf([...records.entries()]))
    for (const [index, cells] of batch) if (cells.some(isFilled)) filled.push({ row: index + 1, cells });
  const [heading, ...rows] = filled;
  if (!heading) return refused({ code: 'empty' });
  const columns = heading.cells.map((name) => name.trim().toLowerCase());
  // Spreadsheets write empty columns behind the last one, or where a column was emptied.
  const nonempty = await filledPlaces(filled, columns.length);
  const used = nonempty.filter((place) => !isOfOtherLanguage(columns[place] ?? ''));
  const wrongColumns = columnProblems(columns, used, locale);
  if (wrongColumns.length > 0) return refused(...wrongColumns);
  if (rows.length === 0) return refused({ code: 'no_products' });
  const width = (nonempty.at(-1) ?? 0) + 1;
  const names = requiredColumns(locale);
  const required = [...columns.keys()].filter((place) => place < width && names.includes(columns[place] ?? ''));
  return nameCells(rows, { columns, used, required, width });
}

interface Columns {
  readonly columns: readonly string[];
  /** The places of the columns with cells, of which others are not read. */
  readonly used: readonly number[];
  readonly required: readonly number[];
  readonly width: number;
}

async function nameCells(
  rows: readonly SpreadsheetRow[],
  { columns, used, required, width }: Columns,
): Promise<FileReading> {
  const wrongRows: FileProblem[] = [];
  const named: ProductRow[] = [];
  for await (const batch of batchesOf(rows)) {
    if (wrongRows.length >= MAX_PROBLEMS) break;
    for (const { row, cells } of batch) {
      const values = { cells: cells.length, columns: width };
      // Some spreadsheets leave out empty cells at the end of a row.
      const missing = required.find((place) => place >= cells.length);
      if (cells.slice(width).some(isFilled)) wrongRows.push({ row, code: 'extra_cells', values });
      else if (missing !== undefined) wrongRows.push({ row, column: columns[missing], code: 'missing_cell', values });
      const pairs = used.map((place) => [columns[place], cells[place] ?? '']);
      named.push({ row, cells: Object.fromEntries(pairs) });
    }
  }
  return wrongRows.length > 0 ? refused(...wrongRows.slice(0, MAX_PROBLEMS)) : { ok: true, rows: named };
}

interface SpreadsheetRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** Returns the places below `width` with a cell that is not empty, in ascending order. Each cell is read once. */
async function filledPlaces(rows: readonly SpreadsheetRow[], width: number): Promise<readonly number[]> {
  const places = new Set<number>();
  for await (const batch of batchesOf(rows))
    for (const { cells } of batch)
      for (const [place, cell] of cells.slice(0, width).entries())
        if (!places.has(place) && isFilled(cell)) places.add(place);
  return [...places].sort((one, other) => one - other);
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

function refused(...problems: readonly FileProblem[]): FileReading {
  return { ok: false, problems };
}

type SeparatedText = ReturnType<typeof readSeparator>;

/** Counts rows and cells, because the parser would need minutes for millions of them. */
async function findSizeProblem(file: SeparatedText): Promise<FileProblem | undefined> {
  const { length } = file.text;
  const count = { rows: /[\r\n]$/.test(file.text) ? 0 : 1, cells: 0, columns: 1, widest: 1, isQuoted: false };
  for (let start = 0; start < length; start += COUNTED_AT_ONCE) {
    if (start > 0) await setImmediate();
    addCells(count, file, start, Math.min(start + COUNTED_AT_ONCE, length));
    if (count.widest > MAX_COLUMNS) return { code: 'too_many_columns', values: { limit: MAX_COLUMNS } };
    if (count.rows > MAX_ROWS + 1) return { code: 'too_many_rows', values: { limit: MAX_ROWS } };
    if (count.cells > MAX_CELLS) return { code: 'too_many_cells', values: { limit: MAX_CELLS } };
  }
  return undefined;
}

/** `columns` are those of the row that is not complete. */
interface CellCount {
  rows: number;
  cells: number;
  columns: number;
  widest: number;
  isQuoted: boolean;
}

function addCells(count: CellCount, { delimiter, text }: SeparatedText, start: number, end: number): void {
  for (let place = start; place < end; place += 1) {
    const sign = text[place];
    if (sign === '"') count.isQuoted = !count.isQuoted;
    else if (count.isQuoted) continue;
    else if (sign === delimiter) {
      count.cells += 1;
      count.columns += 1;
      count.widest = Math.max(count.widest, count.columns);
    } else if (sign === '\n' || (sign === '\r' && text[place + 1] !== '\n')) {
      count.rows += 1;
      count.cells += 1;
      count.columns = 1;
    }
  }
}

async function parseCsv({ delimiter, text }: SeparatedText): Promise<readonly (readonly string[])[]> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    cast: plainText,
    max_record_size: MAX_ROW_LENGTH,
  });
  const records: Promise<string[][]> = parser.toArray();
  // An error is thrown below.
  records.catch(() => {});
  // As bytes, because a part of a text could end inside of an emoji.
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length && !parser.destroyed; start += PART_BYTES) {
    parser.write(bytes.subarray(start, start + PART_BYTES));
    await setImmediate();
  }
  if (!parser.destroyed) parser.end();
  return records;
}

function columnProblems(columns: readonly string[], used: readonly number[], locale: Locale): readonly FileProblem[] {
  const missing = requiredColumns(locale).filter((name) => !columns.includes(name));
  return [
    ...used.flatMap((index): FileProblem[] => {
      const name = columns[index] ?? '';
      const place = index + 1;
      if (name === '') return [{ place, code: 'unnamed_column' }];
      if (!COLUMNS.includes(name)) return [{ place, value: shown(name), code: 'unknown_column' }];
      return columns.indexOf(name) === index ? [] : [{ place, value: name, code: 'repeated_column' }];
    }),
    ...missing.map((name): FileProblem => ({ code: 'missing_column', values: { name } })),
  ];
}

/** Returns a value for a message: one line of at most `limit` characters. */
export function shown(value: string, limit = 60): string {
  const line = value.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
