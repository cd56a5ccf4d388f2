import { describe, expect, test } from '@jest/globals';
import type { Queries } from '../../src/store/database.js';
import { type Given, statement } from '../../src/store/statement.js';
import { openTestDatabase } from '../support/test-database.js';

interface Session {
  readonly sid: string;
  readonly data?: string;
  readonly expiresAt?: number;
}

/** Statements that count how often their text is made. */
function countedStatements() {
  const made: string[] = [];
  const insert = statement((queries, { rows }: Given<{ rows: readonly Required<Session>[] }>) => {
    made.push('insert');
    return queries.insertInto('sessions').values(rows);
  });
  const update = statement(
    (queries, { sid, changes }: Given<{ sid: string; changes: Omit<Session, 'sid'> }>) => {
      made.push('update');
      return queries.updateTable('sessions').set(changes).where('sid', '=', sid);
    },
  );
  const select = statement((queries, { sid }: Given<{ sid: string }>) => {
    made.push('select');
    return queries.selectFrom('sessions').select(['sid', 'data', 'expiresAt']).where('sid', '=', sid);
  });
  return { made, insert, update, select };
}

const session = (sid: string) => ({ sid, data: `of ${sid}`, expiresAt: 7 });

describe('a statement', () => {
  test('is written once, and each call has values of its own', async () => {
    await using place = await openTestDatabase();
    const { made, insert, select } = countedStatements();
    for (const sid of ['a', 'b', 'c']) await insert.run(place.db.queries, { rows: [session(sid)] });

    const found = [];
    for (const sid of ['c', 'a', 'none']) found.push(await select.first(place.db.queries, { sid }));

    expect(found).toEqual([session('c'), session('a'), undefined]);
    expect(made).toEqual(['insert', 'select']);
  });

  test('is another one for other columns and for another number of rows', async () => {
    await using place = await openTestDatabase();
    const { made, insert, update, select } = countedStatements();
    const { queries } = place.db;

    await insert.run(queries, { rows: [session('a')] });
    await insert.run(queries, { rows: [session('b'), session('c')] });
    await update.run(queries, { sid: 'b', changes: { data: 'new' } });
    await update.run(queries, { sid: 'c', changes: { expiresAt: 9 } });
    await update.run(queries, { sid: 'c', changes: { data: 'both', expiresAt: 10 } });

    expect(await select.all(queries, { sid: 'b' })).toEqual([{ ...session('b'), data: 'new' }]);
    expect(await select.all(queries, { sid: 'c' })).toEqual([{ sid: 'c', data: 'both', expiresAt: 10 }]);
    expect(made).toEqual(['insert', 'insert', 'update', 'update', 'update', 'select']);
  });

  test('leaves a column alone whose value is undefined, and empties none', async () => {
    await using place = await openTestDatabase();
    const { insert, update, select } = countedStatements();
    await insert.run(place.db.queries, { rows: [session('a')] });

    const changes = { data: undefined, expiresAt: 8 } as unknown as Omit<Session, 'sid'>;
    await update.run(place.db.queries, { sid: 'a', changes });

    expect(await select.first(place.db.queries, { sid: 'a' })).toEqual({ ...session('a'), expiresAt: 8 });
  });

  test('tells how many rows it changed', async () => {
    await using place = await openTestDatabase();
    const { insert, update } = countedStatements();
    const { queries } = place.db;

    expect(await insert.run(queries, { rows: [session('a'), session('b')] })).toBe(2);
    expect(await update.run(queries, { sid: 'a', changes: { data: 'x' } })).toBe(1);
    expect(await update.run(queries, { sid: 'none', changes: { data: 'x' } })).toBe(0);
  });

  test('places one value wherever it is named, beside values that never change', async () => {
    await using place = await openTestDatabase();
    const { insert } = countedStatements();
    const { queries } = place.db;
    await insert.run(queries, { rows: [session('a'), { ...session('b'), expiresAt: 3 }] });
    const between = statement((queries, { low, high }: Given<{ high: number; low: number }>) =>
      queries
        .selectFrom('sessions')
        .select('sid')
        .where('expiresAt', '>', low)
        .where((eb) => eb.or([eb('expiresAt', '<=', high), eb('expiresAt', '=', low)]))
        .where('sid', '<>', 'never'),
    );

    expect(await between.all(queries, { high: 7, low: 3 })).toEqual([{ sid: 'a' }]);
    expect(await between.all(queries, { high: 6, low: 2 })).toEqual([{ sid: 'b' }]);
  });

  test('belongs to the transaction that it is run in', async () => {
    await using place = await openTestDatabase();
    const { insert, select } = countedStatements();
    const written = async (queries: Queries) => {
      await insert.run(queries, { rows: [session('a')] });
      throw new Error('taken back');
    };

    await expect(place.db.transaction(written)).rejects.toThrow('taken back');

    expect(await select.first(place.db.queries, { sid: 'a' })).toBeUndefined();
  });

  test('is refused when the transaction is over, and touches no other', async () => {
    await using place = await openTestDatabase();
    const { insert, select } = countedStatements();
    let kept: Queries | undefined;
    await place.db.transaction(async (queries) => {
      kept = queries;
    });

    const late = Promise.resolve().then(() => kept && insert.run(kept, { rows: [session('late')] }));

    await expect(late).rejects.toThrow('committed');
    expect(await select.first(place.db.queries, { sid: 'late' })).toBeUndefined();
  });

  test('sees in a transaction what was written before it there, by Kysely too', async () => {
    await using place = await openTestDatabase();
    const { insert, select } = countedStatements();

    const found = await place.db.transaction(async (queries) => {
      await insert.run(queries, { rows: [session('a')] });
      await queries.updateTable('sessions').set({ data: 'new' }).execute();
      return select.first(queries, { sid: 'a' });
    });

    expect(found).toEqual({ ...session('a'), data: 'new' });
  });
});
