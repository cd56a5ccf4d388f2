/** Documents name files, tests and scenarios; a test keeps each of them true, so those that are gone are named no more. */
import type { Files } from './code/source.js';

const QUOTED = /`([^`\n]+)`/g;
const FILE = /^((?:src|test|public|views)\/[\w./-]*[\w-])(?: › (.+))?$/;
const SCENARIO = /^drill: (.+)$/;
const CASES = 'docs/cases.md';

/** The guide to changing a shop. */
export const GUIDE = 'docs/adapting.md';
/** Follows the guide as it is for a shop that nothing was taken out of. */
export const GUIDE_TEST = 'test/journeys/read-me.test.ts';

/** What a cell says of which nothing is left. */
const EMPTY = '–';
const EMPTY_CASE = 'does not apply: it is about a way to pay that this shop does not have';

/** The files with the tables of the documents as they are true for these files, which have been others before. */
export function tidyDocuments(before: Files, files: Files): Map<string, string> {
  const tidy = new Map(files);
  const isLost = (quote: string) => isNamed(before, quote) && !isNamed(files, quote);
  for (const [path, text] of files) {
    if (!path.endsWith('.md')) continue;
    const lines = text.split('\n').map((line) => (line.startsWith('|') ? tidyRow(path, line, isLost) : line));
    tidy.set(path, lines.join('\n'));
  }
  return tidy;
}

/** Whether there is what a document quotes: a file, a test by a part of its title, a scenario. */
function isNamed(files: Files, quote: string): boolean {
  const [, scenario] = SCENARIO.exec(quote) ?? [];
  if (scenario !== undefined)
    return [...files].some(
      ([path, text]) => path.startsWith('src/drill/') && text.includes(`id: '${scenario}'`),
    );
  const [, path = '', title = ''] = FILE.exec(quote) ?? [];
  const text = files.get(path);
  return text?.includes(title) === true;
}

function tidyRow(path: string, row: string, isLost: (quote: string) => boolean): string {
  const quotes = (text: string) => [...text.matchAll(QUOTED)].map(([, quote = '']) => quote);
  if (!quotes(row).some(isLost)) return row;
  const cells = row.split('|').map((cell) => {
    if (!quotes(cell).some(isLost)) return cell;
    const separator = cell.includes(' · ') ? ' · ' : ', ';
    const left = piecesOf(cell.trim(), separator).filter((piece) => !quotes(piece).some(isLost));
    return ` ${left.some((piece) => isShownBy(path, piece)) ? left.join(separator) : emptyCell(path)} `;
  });
  return cells.join('|');
}

/** The parts of a cell; what is quoted is never parted. */
function piecesOf(cell: string, separator: string): readonly string[] {
  const whole = new RegExp(`${separator}(?=(?:[^\`]*\`[^\`]*\`)*[^\`]*$)`);
  return cell.split(whole);
}

/** A case is shown by a test or a scenario; what is only said about it needs one beside it. */
function isShownBy(path: string, piece: string): boolean {
  return path !== CASES || /`[^`]*(?: › |drill: )/.test(piece);
}

function emptyCell(path: string): string {
  return path === CASES ? EMPTY_CASE : EMPTY;
}

/** A document without the section of this heading. Throws when it has none. */
export function withoutSection(text: string, heading: string): string {
  const [head = '', section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`there is no section “${heading}”`);
  const next = section.indexOf('\n## ');
  return next < 0 ? head : head + section.slice(next);
}
