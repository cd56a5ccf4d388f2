import { type Kysely, type Migration, sql } from 'kysely';
import type { Texts } from '../../shop/rules/locale.js';
import { spelledWordsOf, withoutAccents, wordsOf } from '../../shop/rules/search-name.js';

const BATCH_SIZE = 100;

/** Featured products, an index of those with few pieces, search texts that begin with the name, and the words to correct typing errors. */
export const catalogOrder: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table products add column featured integer not null default 0`.execute(db);
    await sql`create index products_low_stock on products (stock, position)
      where stock between 1 and 5 and visible = 1`.execute(db);
    await sql`create table product_words (word text primary key, spelling text not null)`.execute(db);
    for (let last: string | undefined = ''; last !== undefined; ) last = await addWords(db, last);
  },
};

type StoredTexts = Readonly<Record<'name' | 'description' | 'imageAlt' | 'category', Texts>>;

/** Updates the next products. Returns the id of the last of them, or `undefined` if there are no more. */
async function addWords(db: Kysely<unknown>, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; texts: string }>`select id, texts from products where id > ${after}
    order by id limit ${sql.lit(BATCH_SIZE)}`.execute(db);
  if (rows.length === 0) return undefined;
  const products = rows.map(({ id, texts }) => ({ id, ...(JSON.parse(texts) as StoredTexts) }));
  const searchTexts = products.map(({ id, name, description, imageAlt, category }) => {
    const others = [description, imageAlt, category].flatMap((each) => Object.values(each));
    const words = new Set([...wordsOf([id, ...Object.values(name)].join(' ')), '|', ...wordsOf(others.join(' '))]);
    return sql`(${id}, ${` ${[...words].join(' ')}`})`;
  });
  await sql`update products set search_text = changed.column2 from (values ${sql.join(searchTexts)}) as changed
    where changed.column1 = products.id`.execute(db);
  const texts = products.flatMap(({ name, category }) => [...Object.values(name), ...Object.values(category)]);
  const spellings = new Map(texts.flatMap(spelledWordsOf).map((spelling) => [withoutAccents(spelling), spelling]));
  const words = Array.from(spellings, ([word, spelling]) => sql`(${word}, ${spelling})`);
  if (words.length > 0)
    await sql`insert into product_words (word, spelling) values ${sql.join(words)} on conflict do nothing`.execute(db);
  return rows.at(-1)?.id;
}
