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

/**
 * Runs every migration that this database has not run. Safe to call from several processes at the same time. A newer version may
 * have run more: migrations only add, so this version then works with it, and changes nothing of that set. Returns their names.
 * Throws if the database also lacks one of this version, because it then belongs to another program or another line of changes.
 */
export async function runMigrations<T>(db: Kysely<T>, sets: readonly MigrationSet[]): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const named of await migratorsOf(db, sets)) {
    const { error } = await named.migrator.migrateToLatest();
    // Only then compared, because a process of a newer version may migrate at the same time.
    if (error) unknown.push(...(await findNewer(db, named, error)));
  }
  return unknown;
}

/** Returns the migrations that only a newer version has. Throws if they are not the reason of the error. */
async function findNewer<T>(db: Kysely<T>, named: NamedMigrator, error: unknown): Promise<readonly string[]> {
  const { missing, unknown } = await compareMigrations(db, named);
  if (unknown.length === 0) throw error;
  if (missing.length === 0) return unknown;
  const text = `the database has unknown migrations (${unknown.join(', ')}) and lacks ${missing.join(', ')}`;
  throw new Error(text, { cause: error });
}

/** Returns the migrations of a set that the database has not run, and those that it has run and the set does not have. */
export async function compareMigrations<T>(db: Kysely<T>, { migrator, table }: NamedMigrator) {
  const known = await migrator.getMigrations();
  const missing = known.flatMap(({ name, executedAt }) => (executedAt ? [] : name));
  // The table may not exist before the first migration.
  if (missing.length === known.length) return { missing, unknown: [] };
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !known.some((each) => each.name === name));
  return { missing, unknown };
}

/** The schema of the migration tables. Without it, Kysely could find the tables of another program in another schema. */
async function currentSchema<T>(db: Kysely<T>): Promise<{ migrationTableSchema?: string }> {
  if (!isPostgres(db)) return {};
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return { migrationTableSchema: rows[0]?.schema ?? 'public' };
}
