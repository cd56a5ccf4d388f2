import { randomBytes } from 'node:crypto';
import { hasAdminUsers, insertAdminUser } from '../db/admin-users.js';
import type { Queries } from '../db/database.js';
import type { Role } from '../domain/admin-user.js';
import { ID_BYTES, timeOrderedId } from '../domain/ids.js';
import { hashPassword, LOW_COST } from './admin-password.js';

interface NewAdminUser {
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
}

/** Adds a user. Returns false and changes nothing if the name is taken. */
export function addAdminUser(queries: Queries, user: NewAdminUser, at: number): Promise<boolean> {
  return insertAdminUser(queries, {
    ...user,
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    totpSecret: null,
    totpStep: 0,
    disabledAt: null,
    sessionVersion: 1,
    createdAt: at,
    updatedAt: at,
  });
}

/** Adds the manager `admin` if there are no users. Several processes may call it at once. */
export async function addFirstAdminUser(
  queries: Queries,
  { password, generated }: { readonly password: string; readonly generated: boolean },
  at: number,
): Promise<void> {
  if (await hasAdminUsers(queries)) return;
  const passwordHash = await hashPassword(password, generated ? LOW_COST : undefined);
  await addAdminUser(queries, { name: 'admin', role: 'manager', passwordHash }, at);
}
