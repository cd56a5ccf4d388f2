/** Comma-separated values as spreadsheets read them (RFC 4180). */

/** Excel takes a file without it for another encoding than UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One record with its line end. A cell that would run as a formula is made plain text by an apostrophe. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return harmless !== text || NEEDS_QUOTES.test(text) ? `"${harmless.replaceAll('"', '""')}"` : text;
}
