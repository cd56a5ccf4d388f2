import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** Which requested invoices the merchant issued, and their files. */
export const issuedInvoices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const bytes = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
    await sql`alter table invoice_requests add column issued_at bigint`.execute(db);
    await sql`create table invoice_files (
      order_id text not null references orders (id),
      kind text not null,
      bytes ${bytes} not null,
      constraint invoice_files_key primary key (order_id, kind)
    )`.execute(db);
    await sql`create index invoices_to_issue on invoice_requests (created_at, order_id) where issued_at is null`.execute(
      db,
    );
    await sql`create index invoices_issued on invoice_requests (issued_at, order_id) where issued_at is not null`.execute(
      db,
    );
    await sql`create index invoices_by_rfc on invoice_requests (rfc)`.execute(db);
  },
};
