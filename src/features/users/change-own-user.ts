import type { Request, Response } from 'express';
import { startAdminSession } from '../../admin/admin-session.js';
import { adminOf } from '../../admin/permissions.js';
import type { AdminUserEventKind } from '../../shop/rules/admin-user.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { type AdminUser, type AdminUserChange, recordUserEvent, updateAdminUser } from '../../tables/admin-users.js';
import type { Db } from '../../tables/database.js';
import { contextOf } from '../../web/request-context.js';

export interface OwnChange {
  readonly kind: Extract<
    AdminUserEventKind,
    'password_changed' | 'email_changed' | 'factor_set' | 'factor_removed' | 'codes_renewed'
  >;
  readonly values: Omit<AdminUserChange, 'updatedAt'>;
  /** Runs in the transaction, after the change. */
  readonly afterwards?: (queries: Db, user: AdminUser) => Promise<void>;
}

/**
 * Changes the signed-in user and ends its other sessions. Throws `forbidden` if this session has ended meanwhile: a reset of
 * a stolen account counts, and not the change that its thief sent at the same time.
 */
export async function changeOwnUser(
  req: Request,
  res: Response,
  { kind, values, afterwards }: OwnChange,
): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const { name } = adminOf(res);
  const version = req.session.admin?.version ?? 0;
  const updatedAt = clock.now();
  const user = await db.transaction(async (queries) => {
    const changed = await updateAdminUser(queries, name, { ...values, updatedAt }, version);
    if (!changed) throw new ShopError('forbidden');
    await recordUserEvent(queries, { userId: changed.id, at: updatedAt, by: name, kind });
    await afterwards?.(queries, changed);
    return changed;
  });
  // Ends the other sessions, and gives this one its new version.
  await startAdminSession(req, user, { since: req.session.admin?.since ?? 0, needsCode: false });
  log.info('admin.user_changed', { kind, user: name });
}
