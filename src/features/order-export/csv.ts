import { stringify } from 'csv-stringify/sync';

/** Excel reads a file as UTF-8 only with a byte order mark. */
export const BYTE_ORDER_MARK = '\ufeff';

/** First characters that make a spreadsheet run a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns CSV records (RFC 4180). A cell that starts like a formula gets an apostrophe and quotes, which make it text. */
export function csvOf(records: readonly (readonly string[])[]): string {
  // Some spreadsheets also accept full-width and small signs. NFKC maps them to ASCII.
  const isFormula = (cell: string) => FORMULA.test(cell.charAt(0).normalize('NFKC'));
  return stringify([...records], {
    record_delimiter: '\r\n',
    quoted_match: /^'|[\r\n]/,
    cast: { string: (cell) => (isFormula(cell) ? `'${cell}` : cell) },
  });
}
