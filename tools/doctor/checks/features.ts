/** Checks of what removed features left behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../src/project-root.js';
import type { Check, DoctorContext, Problem } from '../check.js';
import { countRefundsInFlight, findUnusedTables } from '../find-unused-tables.js';
import { findActiveUsers, namesOf, readDatabase } from './database.js';

export const featureChecks: readonly Check[] = [
  { name: 'removed parts', run: () => checkRecord(projectRoot) },
  {
    name: 'removed refunds',
    contacts: 'DATABASE_URL',
    concerns: ({ features }) => !features.includes('refunds'),
    run: checkRefunds,
  },
  {
    name: 'removed second factor',
    contacts: 'DATABASE_URL',
    concerns: ({ features }) => !features.includes('second-factor'),
    run: checkLockedOut,
  },
  { name: 'unused tables', contacts: 'DATABASE_URL', run: checkUnusedTables },
];

/** The module that knows the record. An image has none, because parts are not removed there. */
interface FeaturesRecord {
  recordProblems(root: string): readonly string[];
}

/** Compares the record of removed parts in package.json with the files below `root`. */
export async function checkRecord(root: string): Promise<Problem | undefined> {
  const file = join(root, 'tools/dev/features-record.js');
  if (!existsSync(file)) return undefined;
  const { recordProblems } = (await import(pathToFileURL(file).href)) as FeaturesRecord;
  const problems = recordProblems(root);
  if (problems.length === 0) return undefined;
  return {
    level: 'warning',
    what: 'The record of removed parts in package.json differs from the files.',
    why: 'npm run check fails, and merges of a newer template add or remove the wrong parts.',
    fix: problems.join('; '),
  };
}

async function checkRefunds(context: DoctorContext): Promise<Problem | undefined> {
  const [count = 0] = (await readDatabase(context, async (queries) => [await countRefundsInFlight(queries)])) ?? [];
  if (count === 0) return undefined;
  return {
    level: 'error',
    what: `The feature refunds is removed, and refunds are in flight: ${count}.`,
    why: 'No page of the back office shows them, so an admin user cannot verify them. Customers may wait for money.',
    fix: 'Restore it: npm run features -- restore refunds. Remove it when no refund is in flight.',
  };
}

async function checkLockedOut(context: DoctorContext): Promise<Problem | undefined> {
  const users = (await readDatabase(context, findActiveUsers))?.filter(({ totpSecret }) => totpSecret !== null) ?? [];
  if (users.length === 0) return undefined;
  return {
    level: 'error',
    what: `The feature second-factor is removed, and users have two-step verification: ${namesOf(users)}.`,
    why: 'The shop cannot check their codes, so it refuses their sign-in.',
    fix: 'Restore it: npm run features -- restore second-factor. Or add other users with npm run admin -- add, and disable these.',
  };
}

async function checkUnusedTables(context: DoctorContext): Promise<Problem | undefined> {
  const unused = (await readDatabase(context, (queries) => findUnusedTables(queries, context.features))) ?? [];
  if (unused.length === 0) return undefined;
  const tables = unused.map(({ table, feature, count }) => `${table} (${count}, of ${feature})`);
  const features = [...new Set(unused.map(({ feature }) => feature))];
  return {
    level: 'note',
    what: `Tables have rows of removed features: ${tables.join(', ')}.`,
    why: 'Personal data may be in them. It stays until retention or an erasure removes the data of its order.',
    fix: `Restore the features (npm run features -- restore ${features.join(' ')}), or make a backup and delete the rows.`,
  };
}
