import { readFile } from 'node:fs/promises';
import { type ExportedPayment, isNoPaymentType, isPaymentStatus } from '@tianguis/payments/back-office';
import { type Centavos, centavos, readAmount } from '@tianguis/payments/rules';
import { CsvError } from 'csv-parse';
import { type ExportRow, findHeading, type Heading, readLines, rowsBelow, titlesBefore } from './export-file.js';

/** The columns by their names in the file, and whether amounts are pesos with decimals or whole centavos. */
export interface ExportColumns {
  readonly id: string;
  readonly amount: string;
  readonly status: string;
  /** Distinguishes payments from other movements. A file without it has none. */
  readonly type: string;
  readonly unit: 'pesos' | 'centavos';
}

/** A row that was not compared, and why. */
export interface UncomparedRow {
  readonly line: number;
  readonly reason: string;
}

export interface ExportReading {
  readonly rows: readonly ExportedPayment[];
  /** Rows that are no payment, such as a refund or a total. */
  readonly skipped: readonly UncomparedRow[];
  /** Rows that may be a payment whose id, amount or status is not readable. */
  readonly unreadable: readonly UncomparedRow[];
  /** Why nothing can be compared. */
  readonly problems: readonly string[];
}

type RowReading =
  | { readonly payment: ExportedPayment }
  | { readonly skipped: string }
  | { readonly unreadable: string };

/**
 * Reads the CSV file of the gateway's payments, with the separator `,`, `;` or a tab. A file without any payment is a problem.
 * Throws if it cannot be opened.
 */
export async function readExport(file: string, columns: ExportColumns): Promise<ExportReading> {
  const [rows, skipped, unreadable]: [ExportedPayment[], UncomparedRow[], UncomparedRow[]] = [[], [], []];
  const refused = (...problems: readonly string[]) => ({ rows: [], skipped, unreadable, problems });
  const lines = readLines(await readFile(file));
  if (!lines) return refused('the file is not text. Save it as CSV');
  const heading = findHeading(lines, [columns.id, columns.amount, columns.status]);
  const missing = missingColumns(heading, columns);
  if (missing.length > 0) return refused(...missing);
  for (const line of titlesBefore(heading, lines)) skipped.push({ line, reason: 'it is before the heading' });
  try {
    for await (const { line, cells } of rowsBelow(heading, lines)) {
      const reading = readRow({ line, cells }, columns);
      if ('payment' in reading) rows.push(reading.payment);
      else if ('skipped' in reading) skipped.push({ line, reason: reading.skipped });
      else unreadable.push({ line, reason: reading.unreadable });
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refused(`the file is not CSV: ${error.message}`);
  }
  if (rows.some(({ status }) => isPaymentStatus(status))) return { rows, skipped, unreadable, problems: [] };
  const found = [...unreadable, ...skipped].map(({ line, reason }) => `line ${line}: ${reason}`);
  return refused('the file has no payment that can be compared', ...found);
}

function missingColumns({ line, names }: Heading, { id, amount, status }: ExportColumns): readonly string[] {
  const missing = Object.entries({ id, amount, status }).filter(([, column]) => !names.includes(column));
  const found = names.join(', ');
  return missing.map(
    ([name, column]) => `line ${line}: there is no column ${column} (--${name} names it). Columns: ${found}`,
  );
}

/** Begins the first cell of a sum. No id of the gateway does. */
const SUM = /^(?:(?:gran |sub)?total(?:es)?|suma)\b/i;

/** Returns the payment, or why the row is none, or why it may be one that is not readable. */
function readRow({ line, cells }: ExportRow, columns: ExportColumns): RowReading {
  const { [columns.id]: id = '', [columns.amount]: typed = '', [columns.status]: status = '' } = cells;
  const skipped = reasonToSkip(cells, columns);
  if (skipped !== undefined) return { skipped };
  if (status === '') return { unreadable: `${columns.status} is empty` };
  const isPayment = isPaymentStatus(status);
  if (!ID.test(id)) {
    const reason = `${columns.id} is empty or not readable`;
    return isPayment ? { unreadable: reason } : { skipped: reason };
  }
  const text = withoutCurrency(typed);
  const amount = columns.unit === 'pesos' ? readAmount(text) : readCentavos(text);
  if (amount === undefined && isPayment)
    return { unreadable: `${columns.amount} is no amount in ${columns.unit}: ${typed}` };
  return { payment: { line, id, amount, status } };
}

const ID = /^\P{Cc}{1,255}$/u;

function reasonToSkip(cells: ExportRow['cells'], columns: ExportColumns): string | undefined {
  const { [columns.id]: id = '', [columns.amount]: amount = '', [columns.status]: status = '' } = cells;
  const [type = '', all] = [cells[columns.type], Object.values(cells)];
  if (all.every((cell) => !cell)) return 'it is empty';
  if (id === columns.id && amount === columns.amount) return 'it repeats the heading';
  const isPayment = ID.test(id) && status !== '' && isPaymentStatus(status);
  if (!isPayment && [all[0] ?? '', id, status].some((cell) => SUM.test(cell))) return 'it is a total';
  if (isNoPaymentType(type)) return `${columns.type} is ${type}`;
  if (/^(?:[-\u2212(].*\d|\d.*-$)/.test(withoutCurrency(amount))) return `${columns.amount} is below zero: ${amount}`;
  return status === '' && !(ID.test(id) && /\d/.test(amount)) ? `${columns.status} is empty` : undefined;
}

/** `$1,250.00 MXN` → `1,250.00`. The words of other currencies stay, so that the text is no amount. */
function withoutCurrency(text: string): string {
  return text.replace(/MXN|MXP|MEX\$|MX\$|M\.N\.?|\bMN\b|pesos|\$/gi, '').replace(/\s/g, '');
}

function readCentavos(text: string): Centavos | undefined {
  return /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})$/.test(text) ? centavos(Number(text.replaceAll(',', ''))) : undefined;
}
