/** Products as a CSV file. */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Db } from '../db/database.js';
import { findAllProducts } from '../db/product-changes.js';
import { plainText } from '../payments/rules/index.js';
import type { Locale } from '../shop/rules/locale.js';
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
  | { readonly ok: false; readonly problems: readonly string[] };

const MAX_ROWS = 50_000;
const MAX_ROW_LENGTH = 100_000;

/** Returns every product as CSV, in display order. An import of the result changes nothing. */
export async function exportProducts(queries: Db): Promise<string> {
  const records = (await findAllProducts(queries)).map(({ product }) => cellsOf(product));
  return stringify(records, {
    columns: COLUMNS,
    header: true,
    // Excel reads a file as UTF-8 only with a byte order mark.
    bom: true,
    record_delimiter: '\r\n',
    // RFC 4180. The package looks for the whole record delimiter only.
    quoted_match: /[\r\n]/,
  });
}

/**
 * Parses a CSV file in UTF-8 with the separator `,` or `;`, or the one of its line `sep=`, and checks its columns. Empty rows
 * and columns are ignored, and so are texts in a language that the shop does not have. A row may end before its empty cells.
 * The values are not checked. `locale` is the locale of the required texts.
 */
export function readProducts(bytes: Uint8Array, locale: Locale): FileReading {
  let records: readonly (readonly string[])[];
  try {
    records = parseCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof CsvError)) return refused('the file is not UTF-8: save it as "CSV UTF-8"');
    return refused(`the file is no CSV: ${shown(error.message, 200)}`);
  }
  const filled = records.map((cells, index) => ({ row: index + 1, cells })).filter(({ cells }) => cells.some(isFilled));
  const [heading, ...rows] = filled;
  if (!heading) return refused('the file is empty');
  if (records.length > MAX_ROWS + 1) return refused('the file has more than 50,000 rows: import it in parts');
  const columns = heading.cells.map((name) => name.trim().toLowerCase());
  // Spreadsheets write empty columns behind the last one, or where a column was emptied.
  const nonempty = [...columns.keys()].filter((place) => filled.some(({ cells }) => isFilled(cells[place] ?? '')));
  const used = nonempty.filter((place) => !isOfOtherLanguage(columns[place] ?? ''));
  const wrongColumns = columnProblems(columns, used, locale);
  if (wrongColumns.length > 0) return refused(...wrongColumns);
  if (rows.length === 0) return refused('the file has no products');
  const width = (nonempty.at(-1) ?? 0) + 1;
  const required = requiredColumns(locale);
  const wrongRows = rows.flatMap(({ row, cells }) => {
    if (cells.slice(width).some(isFilled)) return [`row ${row}: has ${cells.length} cells instead of ${width}`];
    // Some spreadsheets leave out empty cells at the end of a row.
    const missing = columns.slice(cells.length, width).find((column) => required.includes(column));
    if (missing === undefined) return [];
    return [`row ${row}, ${missing}: is missing, because the row has ${cells.length} cells instead of ${width}`];
  });
  if (wrongRows.length > 0) return refused(...wrongRows);
  const named = (cells: readonly string[]) =>
    Object.fromEntries(used.map((place) => [columns[place], cells[place] ?? '']));
  return { ok: true, rows: rows.map(({ row, cells }) => ({ row, cells: named(cells) })) };
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}

function refused(...problems: readonly string[]): FileReading {
  return { ok: false, problems };
}

/** Excel reads the separator from this line, which is no row of the spreadsheet. */
const SEPARATOR_LINE = /^"?sep=(.)"?\1*(?:\r\n|\n|\r|$)/i;

function parseCsv(file: string): readonly (readonly string[])[] {
  const [line = '', separator] = SEPARATOR_LINE.exec(file) ?? [];
  const text = file.slice(line.length);
  const heading = /[^\r\n]+/.exec(text)?.[0] ?? '';
  return parse(text, {
    delimiter: separator ?? (heading.includes(';') ? ';' : ','),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    cast: plainText,
    // One more than allowed, which is then refused.
    to: MAX_ROWS + 2,
    max_record_size: MAX_ROW_LENGTH,
  });
}

function columnProblems(columns: readonly string[], used: readonly number[], locale: Locale): readonly string[] {
  const missing = requiredColumns(locale).filter((name) => !columns.includes(name));
  return [
    ...used.flatMap((place) => {
      const name = columns[place] ?? '';
      if (name === '') return [`column ${place + 1}: has cells, but no name`];
      if (!COLUMNS.includes(name)) return [`column ${place + 1}: "${shown(name)}" is no known column`];
      return columns.indexOf(name) === place ? [] : [`column ${place + 1}: ${name} is there twice`];
    }),
    ...missing.map((name) => `the column ${name} is missing`),
  ];
}

/** Returns a value for a message: one line of at most `limit` characters. */
export function shown(value: string, limit = 60): string {
  const line = value.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
