/** Excel reads the separator from this line, which is no row of the spreadsheet. */
const SEPARATOR_LINE = /^"?sep=(.)"?\1*(?:\r\n|\n|\r|$)/i;

/**
 * Returns the separator of a CSV file, and the file without its line `sep=`. Without that line the separator is `;` if the
 * heading contains one, as in the files of Excel in a Spanish locale, and otherwise `,`.
 */
export function readSeparator(file: string): { readonly delimiter: string; readonly text: string } {
  const [line = '', separator] = SEPARATOR_LINE.exec(file) ?? [];
  const text = file.slice(line.length);
  const heading = /[^\r\n]+/.exec(text)?.[0] ?? '';
  return { delimiter: separator ?? (heading.includes(';') ? ';' : ','), text };
}
