import { type Kysely, type Migration, sql } from 'kysely';
import { furtherNames } from '../../shop/rules/search-name.js';

const BATCH_SIZE = 500;

/** Finds orders by each word of a name, and by telephone. */
export const orderSearch: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table order_names (
      order_id text not null references orders (id) on delete cascade,
      created_at bigint not null,
      name text not null,
      primary key (order_id, name)
    )`.execute(db);
    await sql`create index order_names_by_start on order_names (substr(name, 1, 3), created_at, order_id, name)`.execute(
      db,
    );
    await sql`create index orders_by_phone on orders (phone, created_at, id) where phone <> ''`.execute(db);
    for (let last: string | undefined = ''; last !== undefined; ) last = await addNames(db, last);
  },
};

interface NamedOrder {
  readonly id: string;
  readonly at: number;
  readonly first: string;
  readonly last: string;
}

/** Adds the names of the next orders. Returns the id of the last of them, or `undefined` if there are no more. */
async function addNames(db: Kysely<unknown>, after: string): Promise<string | undefined> {
  const { rows } = await sql<NamedOrder>`select id, created_at as at, first_name as first, last_name as last
    from orders where id > ${after} order by id limit ${sql.lit(BATCH_SIZE)}`.execute(db);
  const values = rows.flatMap(({ id, at, first, last }) =>
    furtherNames({ firstName: first, lastName: last }).map((name) => sql`(${id}, ${at}, ${name})`),
  );
  if (values.length > 0)
    await sql`insert into order_names (order_id, created_at, name) values ${sql.join(values)}`.execute(db);
  return rows.at(-1)?.id;
}
