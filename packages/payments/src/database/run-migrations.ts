/** Runs and checks sets of migrations. Each set is recorded in its own table. */
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { isPostgres } from './dialects.js';

/** Migrations by name. Each runs once, in order of name. Names in two sets are independent. */
export interface MigrationSet {
  /** The table that records the migrations that were run. */
  readonly table: string;
  readonly migrations: Readonly<Record<string, Migration>>;
}

export interface NamedMigrator {
  readonly migrator: Migrator;
  readonly table: string;
}

/** Returns the migrators of the sets that have migrations, in the same order. */
export async function migratorsOf<T>(db: Kysely<T>, sets: readonly MigrationSet[]): Promise<readonly NamedMigrator[]> {
  const schema = await currentSchema(db);
  const filled = sets.filter(({ migrations }) => Object.keys(migrations).length > 0);
  return filled.map(({ table, migrations }) => ({
    table,
    migrator: new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
      migrationTableName: table,
      migrationLockTableName: `${table}_lock`,
      // A merchant may have added a migration to the set of the program. A newer one of the program may sort before it.
      allowUnorderedMigrations: true,
      ...schema,
    }),
  }));
}

/** Runs every migration that this database has not run. Safe to call from several processes at the same time. */
export async function runMigrations<T>(db: Kysely<T>, sets: readonly MigrationSet[]): Promise<void> {
  for (const { migrator } of await migratorsOf(db, sets)) {
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  }
}

/** The schema of the migration tables. Without it, Kysely could find the tables of another program in another schema. */
async function currentSchema<T>(db: Kysely<T>): Promise<{ migrationTableSchema?: string }> {
  if (!isPostgres(db)) return {};
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return { migrationTableSchema: rows[0]?.schema ?? 'public' };
}
