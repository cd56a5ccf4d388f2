import { type Kysely, type Migration, sql } from 'kysely';
import { type Texts, textIn } from '../../shop/rules/locale.js';
import { LOCALES } from '../../shop/rules/locales.js';
import { spelledWordsOf, withoutAccents } from '../../shop/rules/search-name.js';

const BATCH_SIZE = 100;

/** The words to correct typing errors, by locale. */
export const catalogWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table catalog_words (
      word text not null,
      locale text not null,
      spelling text not null,
      primary key (locale, word)
    )`.execute(db);
    for (let last: string | undefined = ''; last !== undefined; ) last = await addWords(db, last);
  },
};

/** Inserts the words of the next products. Returns the id of the last of them, or `undefined` if there are no more. */
async function addWords(db: Kysely<unknown>, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; texts: string }>`select id, texts from products where id > ${after}
    order by id limit ${sql.lit(BATCH_SIZE)}`.execute(db);
  const texts = rows.map((row) => JSON.parse(row.texts) as { readonly name: Texts; readonly category: Texts });
  for (const locale of LOCALES) {
    const read = texts.flatMap(({ name, category }) => [textIn(name, locale), textIn(category, locale)]);
    const spellings = new Map(read.flatMap(spelledWordsOf).map((spelling) => [withoutAccents(spelling), spelling]));
    const words = Array.from(spellings, ([word, spelling]) => sql`(${word}, ${locale}, ${spelling})`);
    if (words.length > 0)
      await sql`insert into catalog_words (word, locale, spelling) values ${sql.join(words)}
        on conflict do nothing`.execute(db);
  }
  return rows.at(-1)?.id;
}
