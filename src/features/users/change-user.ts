/** Changes of a user by a manager. Each is recorded in the transaction that makes it. */

import type { AdminUserEventKind, Role } from '../../shop/rules/admin-user.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import {
  type AdminUser,
  type AdminUserChange,
  findAdminUser,
  findAdminUserByName,
  lockManagers,
  recordUserEvent,
  updateAdminUser,
} from '../../tables/admin-users.js';
import type { Database, Db } from '../../tables/database.js';

export interface UserChange {
  /** The user who is changed. */
  readonly name: string;
  readonly kind: Extract<AdminUserEventKind, 'role_changed' | 'disabled' | 'enabled' | 'reset'>;
  readonly values: Omit<AdminUserChange, 'updatedAt'>;
  /** The manager. */
  readonly by: AdminUser;
  readonly at: number;
  /** Runs in the transaction, after the change. */
  readonly afterwards?: (queries: Db, user: AdminUser) => Promise<void>;
}

/**
 * Locks the active managers and returns their ids. Throws `forbidden` if the author is none of them any more, or was changed
 * after its password was checked.
 */
export async function lockManagersFor(
  queries: Db,
  { id, sessionVersion }: Pick<AdminUser, 'id' | 'sessionVersion'>,
): Promise<readonly string[]> {
  const managers = await lockManagers(queries);
  const author = await findAdminUser(queries, id);
  if (!managers.includes(id) || author?.sessionVersion !== sessionVersion) throw new ShopError('forbidden');
  return managers;
}

/**
 * Changes a user and ends its sessions. The last active manager stays a manager: all changes lock the managers. Throws
 * `forbidden` if another change lowered, disabled or reset the author meanwhile.
 */
export function changeUser(
  db: Database,
  { name, kind, values, by, at, afterwards }: UserChange,
): Promise<'changed' | 'unchanged' | 'last_manager'> {
  return db.transaction(async (queries) => {
    const managers = await lockManagersFor(queries, by);
    const user = await findAdminUserByName(queries, name);
    if (!user) throw new ShopError('admin_not_found');
    if (isUnchanged(user, kind, values.role)) return 'unchanged';
    const endsManager = kind === 'disabled' || (values.role ?? 'manager') !== 'manager';
    if (endsManager && isLastManager(managers, user.id)) return 'last_manager';
    await updateAdminUser(queries, user.name, { ...values, updatedAt: at });
    const roles: { roleBefore?: Role; role?: Role } = values.role ? { roleBefore: user.role, role: values.role } : {};
    await recordUserEvent(queries, { userId: user.id, at, by: by.name, kind, ...roles });
    await afterwards?.(queries, user);
    return 'changed';
  });
}

/** A disabled user is not reset: its link would not work. */
function isUnchanged({ role, disabledAt }: AdminUser, kind: UserChange['kind'], newRole: Role | undefined): boolean {
  if (newRole === role) return true;
  return disabledAt === null ? kind === 'enabled' : kind === 'disabled' || kind === 'reset';
}

/** Returns whether the user is the only one of the active managers. */
export function isLastManager(managers: readonly string[], userId: string): boolean {
  return managers.length === 1 && managers[0] === userId;
}
