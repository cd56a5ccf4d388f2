import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/tables/database.js';
import { openDatabaseOf } from '../../support/temporary-database.js';

/** SQLite stores every text. */
const server = process.env['TEST_DATABASE_URL'];
const testOnPostgres = server === undefined ? test.skip : test;

testOnPostgres.each(['LATIN1', 'SQL_ASCII'])(
  'case 176: a PostgreSQL database with the encoding %s is refused at the start, which names server_encoding',
  async (encoding) => {
    const options = `encoding '${encoding}' lc_collate 'C' lc_ctype 'C' template template0`;
    await using database = await openDatabaseOf(server ?? '', options);
    await using db = openDatabase(database.url, () => {});

    await expect(db.migrate()).rejects.toThrow(`server_encoding of the database is ${encoding}`);
  },
);
