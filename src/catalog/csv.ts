/** One cell of CSV text (RFC 4180): quoted cells may contain commas, line breaks and doubled quotes. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Returns the rows below the heading, keyed by column name; `undefined` if a quote is unclosed or misplaced. */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const [heading, ...rows] = cellsOf(text.replace(/^\uFEFF/, '')) ?? [];
  if (!heading) return undefined;
  const names = heading.map((name) => name.trim().toLowerCase());
  return rows
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .map((cells) => Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim()])));
}

function cellsOf(text: string): readonly (readonly string[])[] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const match = CELL.exec(text);
    if (!match) return undefined;
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (end === '') return rows;
  }
}
