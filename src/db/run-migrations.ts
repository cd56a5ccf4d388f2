/** Runs and checks the program's migrations, then the merchant's. Each set is recorded in its own table. */
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { isPostgres } from './connection/dialects.js';
import { programMigrations } from './migrations/index.js';
import { ownMigrations } from './own-migrations.js';
import type { Schema } from './schema.js';

type Migrations = Readonly<Record<string, Migration>>;

export interface MigrationSets {
  readonly program: Migrations;
  readonly own: Migrations;
}

export interface NamedMigrator {
  readonly migrator: Migrator;
  /** The table that records the migrations that were run. */
  readonly table: string;
}

/**
 * Returns the migrators in the order in which they run. Names in the two sets are independent. An upgrade of the program
 * therefore cannot conflict with a migration of the merchant.
 * @public also used by tools
 */
export async function migrators(db: Kysely<Schema>, sets?: MigrationSets): Promise<readonly NamedMigrator[]> {
  const { program, own } = sets ?? { program: programMigrations, own: ownMigrations };
  const schema = await currentSchema(db);
  const create = (table: string, set: Migrations) => ({
    table,
    migrator: new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...set }) },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
      // A merchant may have added a migration to the program's set. A newer one of the program may sort before it.
      allowUnorderedMigrations: true,
      ...schema,
    }),
  });
  const ofProgram = create('kysely_migration', program);
  return Object.keys(own).length === 0 ? [ofProgram] : [ofProgram, create('own_migration', own)];
}

/** Runs every migration that this database has not run. Safe to call from several processes at the same time. */
export async function runMigrations(db: Kysely<Schema>, sets?: MigrationSets): Promise<void> {
  for (const { migrator } of await migrators(db, sets)) {
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  }
}

/** The schema of the migration tables. Without it, Kysely could find the tables of another program in another schema. */
async function currentSchema(db: Kysely<Schema>): Promise<{ migrationTableSchema?: string }> {
  if (!isPostgres(db)) return {};
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return { migrationTableSchema: rows[0]?.schema ?? 'public' };
}
