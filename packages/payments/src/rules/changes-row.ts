/** Returns whether a patch has another value than the row in any of its columns. */
export function changesRow<Row extends object>(row: Row, patch: Partial<Row>): boolean {
  const columns = Object.keys(patch) as (keyof Row)[];
  return columns.some((column) => row[column] !== patch[column]);
}
