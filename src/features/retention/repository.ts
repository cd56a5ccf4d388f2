import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import type { Contact } from '../../shop/rules/contact.js';
import type { Db } from '../../tables/database.js';
import { hasEmail } from '../../tables/orders.js';

/**
 * Returns the ids of the customer's orders, ascending: those with the e-mail address. Without one, those with the phone number
 * and no address, because customers may share a phone.
 */
export async function findOrderIdsOf(
  queries: Db,
  { email, phone }: Pick<Contact, 'email' | 'phone'>,
): Promise<readonly string[]> {
  const orders = queries.selectFrom('orders').select('id').orderBy('id');
  const found =
    email === ''
      ? orders.where(sql<boolean>`phone = ${phone} and phone <> ''`).where('email', '=', '')
      : orders.where(hasEmail(email));
  return idsOf(await found.execute());
}

/** Locks orders with personal data that were placed by `before`, without an open payment, refund or review. Returns their ids. */
export async function lockOldOrders(
  queries: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<readonly string[]> {
  const erasable = queries
    .selectFrom('orders')
    .select('id')
    // Same text as in the partial index, so that both databases use it. `state || ''` excludes the index on state.
    .where(sql<boolean>`first_name <> ''`)
    // An attempt of another gateway environment can no longer be looked up. Its order may stay `pending`.
    .where(
      sql<boolean>`(((state || '') in ('created', 'paid', 'declined', 'expired', 'cancelled') and review_reason is null)
        or ((state || '') not in ('outcome_unknown', 'review') and review_reason = 'other_environment'))`,
    )
    .where('createdAt', '<=', before)
    // The mail about a refund needs the address.
    .where(({ exists, not, selectFrom }) => {
      const refunds = selectFrom('refunds').select('refunds.id').whereRef('refunds.orderId', '=', 'orders.id');
      return not(exists(refunds.where('inFlight', '=', 1)));
    });
  const oldest = await erasable.orderBy('createdAt').limit(limit).execute();
  if (oldest.length === 0) return [];
  // Locked by ascending id, as `eraseCustomer` does. An order may have changed before it was locked.
  const locked = await erasable
    .where('id', 'in', idsOf(oldest))
    .orderBy('id')
    .$if(isPostgres(queries), (query) => query.forUpdate())
    .execute();
  return idsOf(locked);
}

function idsOf(orders: readonly { readonly id: string }[]): readonly string[] {
  return orders.map(({ id }) => id);
}

/** Deletes typed forms that contain the e-mail address or phone number, and those of the pages below the pages of these orders. */
export async function deleteFormsOf(queries: Db, text: string, orderPages: readonly string[]): Promise<void> {
  const typed = patternOf(text.toLowerCase());
  await queries
    .deleteFrom('typedForms')
    .where((eb) =>
      eb.or([
        sql<boolean>`lower(content) like ${typed} escape '\\'`,
        ...orderPages.map((page) => sql<boolean>`substr(page, 1, ${page.length + 1}) = ${`${page}/`}`),
      ]),
    )
    .execute();
}

/** Returns the pattern of texts that contain `text`, for `like … escape '\\'`. */
function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
