import type { Migration } from 'kysely';

/**
 * Migrations of your own tables and columns, by name: `'0001-loyalty': { up: (db) => … }`. Each runs once, in order of
 * name, after all migrations of the program. An upgrade of the program never changes this file.
 */
export const ownMigrations: Readonly<Record<string, Migration>> = {};
