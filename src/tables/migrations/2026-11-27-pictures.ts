import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** Uploaded pictures by the hash of their content, and the further pictures of products. */
export const pictures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
    await sql`create table pictures (
      hash text not null,
      width integer not null,
      stored_at bigint not null,
      bytes ${bytes} not null,
      constraint pictures_key primary key (hash, width)
    )`.execute(db);
    await sql`create index pictures_by_time on pictures (stored_at, hash)`.execute(db);
    await sql`create table product_pictures (
      product_id text not null references products (id) on delete cascade,
      position integer not null,
      image text not null,
      texts text not null,
      constraint product_pictures_key primary key (product_id, position)
    )`.execute(db);
    await sql`create index product_pictures_by_image on product_pictures (image)`.execute(db);
    await sql`create index products_by_image on products (image)`.execute(db);
  },
};
