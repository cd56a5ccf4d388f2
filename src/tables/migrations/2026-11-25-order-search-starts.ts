import { type Kysely, type Migration, sql } from 'kysely';

/** Finds orders by the first six letters of a name, because many names share the first three. */
export const orderSearchStarts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const key = (name: string) => sql.raw(`substr(${name}, 1, 6), created_at`);
    await sql`create index orders_by_name_6 on orders (${key('search_name')}, id, search_name)`.execute(db);
    await sql`create index orders_by_surname_6 on orders (${key('search_surname')}, id, search_surname)`.execute(db);
    await sql`create index order_names_by_start_6 on order_names (${key('name')}, order_id, name)`.execute(db);
  },
};
