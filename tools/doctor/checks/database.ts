import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAdminUsers } from '../../../src/db/admin-users.js';
import type { DatabaseCondition } from '../../../src/db/check-database.js';
import { openDatabase } from '../../../src/db/database.js';
import { canCreateFilesIn } from '../can-create-files-in.js';
import type { DoctorContext, Problem } from '../check.js';
import { failureReason } from '../send-request.js';

/** Returns whether the database is a PostgreSQL server. */
export function isRemoteDatabase({ config }: DoctorContext): boolean {
  return !config.databaseUrl.startsWith('file:');
}

/** Checks that the database is reachable, writable and migrated. */
export async function checkDatabase(context: DoctorContext): Promise<Problem | undefined> {
  const { databaseUrl } = context.config;
  const path = databaseUrl.slice('file:'.length);
  if (!isRemoteDatabase(context) && !existsSync(path)) return missingFile(path);
  try {
    await using database = openDatabase(databaseUrl, () => {});
    return conditionProblem(await database.condition());
  } catch (error) {
    return {
      level: 'error',
      what: `The database cannot be opened (${failureReason(error)}).`,
      why: 'The shop cannot start.',
      fix: 'Check DATABASE_URL: host, port, user, password and database name, or whether the file is a SQLite database.',
    };
  }
}

/** Checks the second factor of managers. Faults of the database are reported by `checkDatabase`. */
export async function checkSecondFactor(context: DoctorContext): Promise<Problem | undefined> {
  const { databaseUrl } = context.config;
  const isMissing = !isRemoteDatabase(context) && !existsSync(databaseUrl.slice('file:'.length));
  if (!context.production || isMissing) return undefined;
  await using database = openDatabase(databaseUrl, () => {});
  const users = await findAdminUsers(database.queries).catch(() => []);
  const names = users
    .filter(({ role, totpSecret, disabledAt }) => role === 'manager' && !totpSecret && disabledAt === null)
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    level: 'note',
    what: `Managers without a second factor: ${names.join(', ')}.`,
    why: 'A password that leaks gives access to every order, and to refunds.',
    fix: 'Run npm run admin -- totp NAME --enable, and enter the secret in an authenticator app.',
  };
}

function missingFile(path: string): Problem {
  if (canCreateFilesIn(dirname(path)))
    return {
      level: 'note',
      what: 'The database file does not exist yet.',
      why: 'The shop creates it at its first start. If you moved the shop, its orders are missing.',
      fix: 'Start the shop, or put the file at the path of DATABASE_URL.',
    };
  return {
    level: 'error',
    what: 'The database file does not exist, and its folder is not writable.',
    why: 'The shop cannot start.',
    fix: 'Make the folder of DATABASE_URL writable for the shop’s user account, or set another folder.',
  };
}

function conditionProblem({ missing, unknown, fault }: DatabaseCondition): Problem | undefined {
  if (unknown.length > 0)
    return {
      level: 'error',
      what: `The database has migrations of a newer version: ${unknown.join(', ')}.`,
      why: 'The shop does not start with an unknown migration.',
      fix: 'Run the newer version of the shop, or restore the backup from before the upgrade.',
    };
  if (fault)
    return {
      level: 'error',
      what: `The database can be read but not written (${failureReason(fault)}).`,
      why: 'The shop cannot store orders, so customers cannot buy.',
      fix: 'Check the permissions of the shop’s user account, free disk space, locks, and whether it is a read-only copy.',
    };
  if (missing.length > 0)
    return {
      level: 'warning',
      what: `The database lacks migrations: ${missing.join(', ')}.`,
      why: 'This version of the shop needs these migrations. It runs them when it starts.',
      fix: 'Make a backup. Then run npm run migrate or start the shop.',
    };
  return undefined;
}
