/** Products as a CSV file. */
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { Db } from '../db/database.js';
import { findAllProducts } from '../db/product-changes.js';
import { batchesOf } from '../db/product-words.js';
import { plainText } from '../payments/rules/index.js';
import type { Locale } from '../shop/rules/locale.js';
import { readSeparator } from './csv-separator.js';
import type { FileProblem } from './file-problems.js';
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
const MAX_ROW_LENGTH = 100_000;
/** Bytes that are parsed at once. Other requests run between two parts. */
const PART_BYTES = 64 * 1024;

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
    records = await parseCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof CsvError)) return refused({ code: 'not_utf8' });
    return refused({ code: 'no_csv', values: { line: Number(error['lines']) } });
  }
  const filled = records.map((cells, index) => ({ row: index + 1, cells })).filter(({ cells }) => cells.some(isFilled));
  const [heading, ...rows] = filled;
  if (!heading) return refused({ code: 'empty' });
  if (records.length > MAX_ROWS + 1) return refused({ code: 'too_many_rows', values: { limit: MAX_ROWS } });
  const columns = heading.cells.map((name) => name.trim().toLowerCase());
  // Spreadsheets write empty columns behind the last one, or where a column was emptied.
  const nonempty = filledPlaces(filled, columns.length);
  const used = nonempty.filter((place) => !isOfOtherLanguage(columns[place] ?? ''));
  const wrongColumns = columnProblems(columns, used, locale);
  if (wrongColumns.length > 0) return refused(...wrongColumns);
  if (rows.length === 0) return refused({ code: 'no_products' });
  const width = (nonempty.at(-1) ?? 0) + 1;
  const names = requiredColumns(locale);
  const required = [...columns.keys()].filter((place) => place < width && names.includes(columns[place] ?? ''));
  const wrongRows = rows.flatMap(({ row, cells }): FileProblem[] => {
    const values = { cells: cells.length, columns: width };
    if (cells.slice(width).some(isFilled)) return [{ row, code: 'extra_cells', values }];
    // Some spreadsheets leave out empty cells at the end of a row.
    const missing = required.find((place) => place >= cells.length);
    return missing === undefined ? [] : [{ row, column: columns[missing], code: 'missing_cell', values }];
  });
  if (wrongRows.length > 0) return refused(...wrongRows);
  const named = (cells: readonly string[]) =>
    Object.fromEntries(used.map((place) => [columns[place], cells[place] ?? '']));
  return { ok: true, rows: rows.map(({ row, cells }) => ({ row, cells: named(cells) })) };
}

/** Returns the places below `width` with a cell that is not empty, in ascending order. Each cell is read once. */
function filledPlaces(rows: readonly { readonly cells: readonly string[] }[], width: number): readonly number[] {
  const places = new Set<number>();
  for (const { cells } of rows)
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

async function parseCsv(file: string): Promise<readonly (readonly string[])[]> {
  const { delimiter, text } = readSeparator(file);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    cast: plainText,
    // One more than allowed, which is then refused.
    to: MAX_ROWS + 2,
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
