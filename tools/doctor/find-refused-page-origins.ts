import { z } from 'zod';
import type { Db } from '../../src/tables/database.js';

/** No index serves the query, so it reads only the latest events. */
const LATEST_EVENTS = 10_000;

const detailSchema = z.object({ origin: z.string() });

/** Returns the origin of the latest hosted page that `CHECKOUT_PAGE_ORIGINS` did not list, from the latest 10,000 events. */
export async function findRefusedPageOrigins(queries: Db): Promise<readonly string[]> {
  const newest = await queries
    .selectFrom('orderEvents')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst();
  const events = await queries
    .selectFrom('orderEvents')
    .select('detail')
    .where('id', '>', Number(newest?.id ?? 0) - LATEST_EVENTS)
    .where('kind', '=', 'attempt_failed')
    .where('detail', 'like', '%"page_origin"%')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return events.flatMap(({ detail }) => detailSchema.safeParse(JSON.parse(detail)).data?.origin ?? []);
}
