/** Reads which columns and unique keys a table has. A table is found as queries find it, by the search path. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../database/dialects.js';

/** Returns the types of the columns by name. Empty: there is no such table. */
export async function findColumns<T>(db: Kysely<T>, table: string): Promise<ReadonlyMap<string, string>> {
  const query = isPostgres(db)
    ? sql<{ name: string; type: string }>`select attname as name, format_type(atttypid, null) as type
        from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`
    : sql<{ name: string; type: string }>`select name, type from pragma_table_info(${table})`;
  const { rows } = await query.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Returns the columns of each unique index, such as `order_id, ordinal`. Partial indexes are included. */
export async function findUniqueKeys<T>(db: Kysely<T>, table: string): Promise<ReadonlySet<string>> {
  const query = isPostgres(db)
    ? sql<{ key: unknown; name: string }>`select indexrelid as key, attname as name from pg_index
        cross join unnest(indkey) with ordinality as part (number, place)
        join pg_attribute on attrelid = indrelid and attnum = part.number
        where indrelid = to_regclass(${table}) and indisunique and indisvalid order by indexrelid, place`
    : sql<{ key: unknown; name: string }>`select list.name as key, part.name as name
        from pragma_index_list(${table}) as list, pragma_index_info(list.name) as part
        where list."unique" = 1 order by list.seq, part.seqno`;
  const { rows } = await query.execute(db);
  const keys = new Map<unknown, string[]>();
  for (const { key, name } of rows) keys.set(key, [...(keys.get(key) ?? []), name]);
  return new Set([...keys.values()].map((names) => names.join(', ')));
}
