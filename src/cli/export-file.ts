/** The CSV file of the gateway's payments: its encoding, its separator and its heading. */
import { parse } from 'csv-parse';
import { readSeparator } from '../catalog/csv-separator.js';

/** A row below the heading, by the names of the columns. */
export interface ExportRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string | undefined>>;
}

/** The line with the names of the columns, and how it is separated. */
export interface Heading {
  /** The first line is 1. */
  readonly line: number;
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** Lines in which the heading is searched. Those before it are titles. */
const MAX_HEADING_LINE = 50;
const SEPARATORS = [',', ';', '\t'];

/**
 * Returns the lines of a file in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252, as spreadsheets save them.
 * `undefined`: the file is no text, such as a spreadsheet itself.
 */
export function readLines(bytes: Uint8Array): readonly string[] | undefined {
  const text = decode(bytes);
  return text.includes('\0') ? undefined : text.split(/\r\n|\n|\r/);
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the first line that has the most of these columns. */
export function findHeading(lines: readonly string[], columns: readonly string[]): Heading {
  const [first = ''] = lines;
  const separators = isSeparatorLine(first) ? [readSeparator(first).delimiter] : SEPARATORS;
  const headings = lines
    .slice(0, MAX_HEADING_LINE)
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => isFilled(text))
    .flatMap(({ text, line }) => separators.map((delimiter) => ({ line, delimiter, names: namesIn(text, delimiter) })));
  const countOf = ({ names }: Heading) => columns.filter((column) => names.includes(column)).length;
  const none: Heading = { line: 1, delimiter: ',', names: [] };
  return headings.reduce<Heading>((best, each) => (countOf(each) > countOf(best) ? each : best), headings[0] ?? none);
}

/** Returns the numbers of the lines with a text before the heading. */
export function titlesBefore({ line }: Heading, lines: readonly string[]): readonly number[] {
  return lines.slice(0, line - 1).flatMap((text, index) => (isFilled(text) ? [index + 1] : []));
}

function isFilled(line: string): boolean {
  return line.trim() !== '' && !isSeparatorLine(line);
}

function isSeparatorLine(line: string): boolean {
  return line !== '' && readSeparator(line).text === '';
}

function namesIn(line: string, delimiter: string): readonly string[] {
  const cells = line.split(delimiter).map((cell) => cell.trim());
  return cells.map((cell) => cell.replace(/^"(.*)"$/, '$1').trim());
}

interface ParsedRow {
  readonly record: ExportRow['cells'];
  readonly info: { readonly lines: number };
}

/** Yields the rows below the heading. Throws a `CsvError`. */
export async function* rowsBelow({ line, delimiter }: Heading, lines: readonly string[]): AsyncGenerator<ExportRow> {
  const format = { delimiter, columns: true, info: true, relax_column_count: true, trim: true } as const;
  const parser = parse(lines.slice(line - 1).join('\n'), format) as AsyncIterable<ParsedRow>;
  for await (const { record, info } of parser) yield { line: line - 1 + info.lines, cells: record };
}
