import { parse } from 'csv-parse/sync';
import type { Locale } from '../domain/locale.js';
import { type Cells, COLUMNS, requiredColumns } from './product-cells.js';

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
const MAX_SHOWN_LENGTH = 60;

/**
 * Parses a CSV file in UTF-8 with the separator `,` or `;`, and checks its columns. The values are checked by
 * `planImport`. `locale` is the locale of the required texts.
 */
export function readProducts(bytes: Uint8Array, locale: Locale): FileReading {
  const text = decode(bytes);
  if (text === undefined) return refused('the file is not UTF-8: save it as "CSV UTF-8"');
  if (text === '') return refused('the file is empty');
  const records = parseCsv(text);
  if (typeof records === 'string') return refused(`the file is no CSV: ${shown(records, 200)}`);
  if (records.length > MAX_ROWS + 1) return refused('the file has more than 50,000 rows: import it in parts');
  const [heading = [], ...others] = records;
  const columns = heading.map((name) => name.trim().toLowerCase());
  const rows = others
    .map((cells, index) => ({ row: index + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const problems = columnProblems(columns, locale);
  if (problems.length === 0)
    problems.push(
      ...rows
        .filter(({ cells }) => cells.length !== columns.length)
        .map(({ row, cells }) => `row ${row}: has ${cells.length} cells instead of ${columns.length}`),
    );
  if (problems.length === 0 && rows.length === 0) problems.push('the file has no products');
  if (problems.length > 0) return refused(...problems);
  return {
    ok: true,
    rows: rows.map(({ row, cells }) => ({
      row,
      cells: Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ''])),
    })),
  };
}

function refused(...problems: readonly string[]): FileReading {
  return { ok: false, problems };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the records, or the problem of the parser. */
function parseCsv(text: string): readonly (readonly string[])[] | string {
  const heading = text.slice(0, text.search(/[\r\n]|$/));
  try {
    return parse(text, {
      delimiter: heading.includes(';') ? ';' : ',',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // One more than allowed, which is then refused.
      to: MAX_ROWS + 2,
      max_record_size: MAX_ROW_LENGTH,
    });
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

function columnProblems(columns: readonly string[], locale: Locale): string[] {
  const missing = requiredColumns(locale).filter((name) => !columns.includes(name));
  return [
    ...columns.flatMap((name, place) => {
      if (!COLUMNS.includes(name)) return [`column ${place + 1}: "${shown(name)}" is no known column`];
      return columns.indexOf(name) === place ? [] : [`column ${place + 1}: ${name} is there twice`];
    }),
    ...missing.map((name) => `the column ${name} is missing`),
  ];
}

/** Returns a value for a message: one line of at most `limit` characters. */
export function shown(value: string, limit = MAX_SHOWN_LENGTH): string {
  const line = value.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
