import { type Kysely, type Migration, sql } from 'kysely';

/** The network of the client that a reservation is made for. */
export const reservationNetworks: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table reservations add column network_key text not null default ''`.execute(db);
  },
};
