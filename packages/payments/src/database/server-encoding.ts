import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialects.js';

/** Returns `server_encoding` of a PostgreSQL database that does not store text as UTF-8, else `undefined`. */
export async function findOtherEncoding<T>(db: Kysely<T>): Promise<string | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  return encoding === 'UTF8' ? undefined : encoding;
}

/** Names of customers may have any letter or emoji. */
export function otherEncodingText(encoding: string): string {
  return `server_encoding of the database is ${encoding}, and this program needs UTF8. Create another one: createdb --encoding=UTF8 --template=template0 NAME`;
}
