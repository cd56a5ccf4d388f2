/** What customers typed into forms, by session id and path of the page. It is personal data, and holds no card data. */
import type { Insertable } from 'kysely';
import type { Db } from './database.js';
import type { Schema } from './schema.js';

/** Stores a form in place of the one before. */
export async function putTypedForm(queries: Db, form: Insertable<Schema['typedForms']>): Promise<void> {
  const { content, expiresAt } = form;
  await queries
    .insertInto('typedForms')
    .values(form)
    .onConflict((conflict) => conflict.columns(['sid', 'page']).doUpdateSet({ content, expiresAt }))
    .execute();
}

/** Returns the JSON of a form that has not expired. */
export async function findTypedForm(
  queries: Db,
  { sid, page }: { readonly sid: string; readonly page: string },
  now: number,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('typedForms')
    .select('content')
    .where('sid', '=', sid)
    .where('page', '=', page)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.content;
}

/** Deletes the form of one page, or without `page` all forms of the session. */
export async function deleteTypedForms(queries: Db, sid: string, page?: string): Promise<void> {
  const forms = queries.deleteFrom('typedForms').where('sid', '=', sid);
  await (page === undefined ? forms : forms.where('page', '=', page)).execute();
}
