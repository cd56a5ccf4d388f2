import { stringify } from 'csv-stringify/sync';
import type { Queries } from '../db/database.js';
import { readAllProducts } from '../db/product-changes.js';
import { COLUMNS, cellsOf } from './product-cells.js';

/** Excel reads a file as UTF-8 only with a byte order mark. */
const BYTE_ORDER_MARK = '\ufeff';
const RECORD_END = '\r\n';

/** Yields every product as CSV, in display order. An import of the result changes nothing. */
export async function* exportProducts(queries: Queries): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([COLUMNS], { record_delimiter: RECORD_END });
  for await (const products of readAllProducts(queries)) {
    const records = products.map((product) => {
      const cells = cellsOf(product);
      return COLUMNS.map((column) => cells[column]);
    });
    yield stringify(records, { record_delimiter: RECORD_END });
  }
}
