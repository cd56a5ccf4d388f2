/** Checks that the database is reachable, writable and migrated. Changes nothing. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseCondition } from '../../../src/db/check-database.js';
import { openDatabase } from '../../../src/db/database.js';
import { reasonOf } from '../ask.js';
import { error, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { mayWriteTo } from './writable.js';

/** Returns whether the database is a PostgreSQL server. */
export function isRemoteDatabase({ config }: Patient): boolean {
  return !config.databaseUrl.startsWith('file:');
}

export async function lookAtDatabase(patient: Patient): Promise<readonly Verdict[]> {
  const path = fileOf(patient);
  if (path !== undefined && !existsSync(path)) return [notYetThere(path)];
  try {
    await using database = openDatabase(patient.config.databaseUrl, () => {});
    return [...evaluatePayment(await database.condition()), ...oneMachine(patient)];
  } catch (fault) {
    return [unreachable(reasonOf(fault))];
  }
}

function fileOf(patient: Patient): string | undefined {
  return isRemoteDatabase(patient) ? undefined : patient.config.databaseUrl.slice('file:'.length);
}

function notYetThere(path: string): Verdict {
  if (mayWriteTo(dirname(path)))
    return note({
      what: 'The database file is not there yet.',
      why: 'The shop creates it at its first start. If you moved the shop, its orders are missing.',
      mend: 'Start the shop, or put the file at the path of DATABASE_URL.',
    });
  return error({
    what: 'The database file is not there and cannot be made: its folder cannot be written to.',
    why: 'The shop cannot start.',
    mend: 'Make the folder of DATABASE_URL writable for the shop’s user account, or set another folder.',
  });
}

function evaluatePayment({ missing, unknown, fault }: DatabaseCondition): Verdict[] {
  if (unknown.length > 0) return [newer(unknown)];
  if (fault) return [unwritable(reasonOf(fault))];
  if (missing.length > 0) return [older(missing)];
  return [ok('The database answers, can be written to and is up to date.')];
}

function newer(steps: readonly string[]): Verdict {
  return error({
    what: `The database is newer than this program: ${steps.join(', ')}.`,
    why: 'The shop does not start with an unknown migration.',
    mend: 'Run the newer version of the shop, or restore the backup from before the upgrade.',
  });
}

function unwritable(reason: string): Verdict {
  return error({
    what: `The database can be read and not written to (${reason}).`,
    why: 'The shop cannot store orders, so customers cannot buy.',
    mend: 'Check the permissions of the shop’s user account, free disk space, locks, and whether it is a read-only copy.',
  });
}

function older(steps: readonly string[]): Verdict {
  return warning({
    what: `The database lacks ${steps.length === 1 ? 'a step' : 'steps'}: ${steps.join(', ')}.`,
    why: 'This version of the shop needs these migrations. It runs them when it starts.',
    mend: 'Make a backup. Then run npm run migrate or start the shop.',
  });
}

function unreachable(reason: string): Verdict {
  return error({
    what: `The database cannot be opened (${reason}).`,
    why: 'The shop cannot start.',
    mend: 'Check DATABASE_URL: host, port, user, password and database name, or whether the file is a SQLite database.',
  });
}

function oneMachine(patient: Patient): Verdict[] {
  if (!patient.production || isRemoteDatabase(patient)) return [];
  return [
    note({
      what: 'The database is a file beside the shop.',
      why: 'A SQLite file is safe on one machine, but two machines must never share it. A copy of the file alone is no backup.',
      mend: 'See docs/running.md, “The embedded database”, for backups, and for PostgreSQL.',
    }),
  ];
}
