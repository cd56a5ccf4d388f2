/** Brings the database to today's shape and ends. */
import dotenv from 'dotenv';
import { configOrExit, exitWith } from './process-life.js';
import { openDatabase } from './store/database.js';

dotenv.config({ quiet: true });
const { config } = configOrExit(process.env);
const database = openDatabase(config.databaseUrl, () => {});
await database.migrate().catch(exitWith);
await database[Symbol.asyncDispose]();
process.stdout.write('The database is up to date.\n');
