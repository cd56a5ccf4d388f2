/** CSV for spreadsheets (RFC 4180), with protection against formula injection. */

/** Excel reads a file as UTF-8 only with a byte order mark. */
export const BYTE_ORDER_MARK = '\ufeff';

/** First characters that make a spreadsheet run a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Returns one record with its line end. A cell that starts like a formula gets an apostrophe, which makes it text. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  // Some spreadsheets also accept full-width and small signs. NFKC maps them to ASCII.
  const harmless = FORMULA.test(text.charAt(0).normalize('NFKC')) ? `'${text}` : text;
  return harmless !== text || NEEDS_QUOTES.test(text) ? `"${harmless.replaceAll('"', '""')}"` : text;
}
