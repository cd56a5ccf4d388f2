import type { Db } from '../../tables/database.js';
import type { PostalCode } from './postal-file.js';

/** Rows per statement. SQLite accepts 32,766 parameters. */
const BATCH_SIZE = 1_000;

/** Returns what the last import knows of a postal code, or `undefined`. */
export async function findPostalCode(queries: Db, code: string): Promise<PostalCode | undefined> {
  const row = await queries.selectFrom('postalCodes').selectAll().where('code', '=', code).executeTakeFirst();
  return row && { code, municipalities: namesIn(row.municipalities), neighborhoods: namesIn(row.neighborhoods) };
}

function namesIn(column: string): readonly string[] {
  return JSON.parse(column) as readonly string[];
}

/** Replaces all postal codes. Call it in a transaction. */
export async function replacePostalCodes(queries: Db, codes: readonly PostalCode[]): Promise<void> {
  await queries.deleteFrom('postalCodes').execute();
  const rows = codes.map(({ code, municipalities, neighborhoods }) => ({
    code,
    municipalities: JSON.stringify(municipalities),
    neighborhoods: JSON.stringify(neighborhoods),
  }));
  for (let first = 0; first < rows.length; first += BATCH_SIZE)
    await queries
      .insertInto('postalCodes')
      .values(rows.slice(first, first + BATCH_SIZE))
      .execute();
}
