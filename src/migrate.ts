/** `npm run migrate`: runs the missing migrations and exits. */
import dotenv from 'dotenv';
import { openDatabase } from './db/database.js';
import { configOrExit, exitWith } from './process-lifecycle.js';

dotenv.config({ quiet: true });
const { config } = configOrExit(process.env);
const database = openDatabase(config.databaseUrl, () => {});
await database.migrate().catch(exitWith);
await database[Symbol.asyncDispose]();
process.stdout.write('The database is up to date.\n');
