/** `npm run migrate`: runs the missing migrations and exits. */
import { existsSync } from 'node:fs';
import { openDatabase } from './db/database.js';
import { configOrExit, exitWith } from './process-lifecycle.js';

if (existsSync('.env')) process.loadEnvFile();
const { secrets } = configOrExit(process.env);
const database = openDatabase(secrets.databaseUrl, () => {});
await database.migrate().catch(exitWith);
await database[Symbol.asyncDispose]();
process.stdout.write('The database is up to date.\n');
