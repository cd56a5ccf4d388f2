import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { readSeparator } from '../catalog/csv-separator.js';
import type { ExportedPayment } from '../payments/index.js';
import { type Centavos, centavos, readAmount } from '../payments/rules/index.js';

/** The columns by their names in the file, and whether amounts are pesos with decimals or whole centavos. */
export interface ExportColumns {
  readonly id: string;
  readonly amount: string;
  readonly status: string;
  readonly unit: 'pesos' | 'centavos';
}

type Cells = Readonly<Record<string, string | undefined>>;

export interface ExportReading {
  readonly rows: readonly ExportedPayment[];
  /** What is wrong, with its line. With a problem the rows are not complete. */
  readonly problems: readonly string[];
}

/** Reads the CSV file of the gateway's payments, with the separator `,` or `;`. Throws if it cannot be opened. */
export async function readExport(file: string, columns: ExportColumns): Promise<ExportReading> {
  const rows: ExportedPayment[] = [];
  let isUnusable = false;
  let problems = ['line 1: the file has no names of columns'];
  const readHeader = (names: string[]) => {
    problems = missingColumns(names, columns);
    isUnusable = problems.length > 0;
    return names;
  };
  // The decoder removes a byte order mark.
  const { delimiter, text } = readSeparator(new TextDecoder().decode(await readFile(file)));
  const format = { delimiter, info: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const;
  try {
    for await (const { record, info } of parse(text, { ...format, columns: readHeader }) as AsyncIterable<ParsedRow>) {
      if (isUnusable) break;
      const row = readRow(record, info.lines, columns);
      if (typeof row === 'string') problems.push(row);
      else rows.push(row);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    problems.push(`the file is not CSV: ${error.message}`);
  }
  return { rows, problems };
}

interface ParsedRow {
  readonly record: Cells;
  readonly info: { readonly lines: number };
}

function missingColumns(names: readonly string[], { id, amount, status }: ExportColumns): string[] {
  const missing = Object.entries({ id, amount, status }).filter(([, column]) => !names.includes(column));
  const found = names.join(', ');
  return missing.map(
    ([name, column]) => `line 1: there is no column ${column} (--${name} names it). Columns: ${found}`,
  );
}

/** Returns the row, or what is wrong with it. */
function readRow(record: Cells, line: number, columns: ExportColumns): ExportedPayment | string {
  const { [columns.id]: id = '', [columns.amount]: typed = '', [columns.status]: status = '' } = record;
  if (!/^\P{Cc}{1,255}$/u.test(id)) return `line ${line}: ${columns.id} is empty or not readable`;
  const amount = columns.unit === 'pesos' ? readAmount(typed) : readCentavos(typed);
  if (amount === undefined) return `line ${line}: ${columns.amount} is no amount in ${columns.unit}: ${typed}`;
  if (status === '') return `line ${line}: ${columns.status} is empty`;
  return { line, id, amount, status };
}

function readCentavos(text: string): Centavos | undefined {
  return /^\d{1,15}$/.test(text) ? centavos(Number(text)) : undefined;
}
