/** Returns a function that returns the cells of a column of the CSV export, by its heading. No cell may contain a comma. */
export function readCsv(text: string): (name: string) => readonly (string | undefined)[] {
  const records = text.slice(1).trimEnd().split('\r\n');
  const [heading = [], ...rows] = records.map((record) => record.split(','));
  return (name) => rows.map((row) => row[heading.indexOf(name)]);
}
