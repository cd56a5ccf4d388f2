/** `npm run migrate`: runs the missing migrations and exits. */

import { loadEnvFile } from './env-file.js';
import { configOrExit, exitWith } from './process-lifecycle.js';
import { openDatabase } from './tables/database.js';

loadEnvFile();
const { secrets } = configOrExit(process.env);
const database = openDatabase(secrets.databaseUrl, () => {});
const unknown = await database.migrate().catch(exitWith);
await database[Symbol.asyncDispose]();
process.stdout.write(
  unknown.length === 0
    ? 'The database is up to date.\n'
    : `The database is of a newer version, with which this one works: ${unknown.join(', ')}\n`,
);
