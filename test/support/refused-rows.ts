/** A database that refuses rows, so that the code that writes them fails. */

import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import type { Db } from '../../src/tables/database.js';

/** Refuses every new fulfillment until {@link allowFulfillments}. */
export async function refuseFulfillments(queries: Db): Promise<void> {
  const refusal = isPostgres(queries)
    ? [
        "create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$",
        'create trigger refusal before insert on fulfillments for each row execute function refuse()',
      ]
    : ["create trigger refusal before insert on fulfillments begin select raise(abort, 'refused'); end"];
  for (const statement of refusal) await sql.raw(statement).execute(queries);
}

export async function allowFulfillments(queries: Db): Promise<void> {
  await sql.raw(`drop trigger refusal${isPostgres(queries) ? ' on fulfillments' : ''}`).execute(queries);
}
