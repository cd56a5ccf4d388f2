import type { HealthCard } from '../../admin/health-card.js';
import { findAdminUserByName } from '../../tables/admin-users.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { usersPaths } from './paths.js';

/** Returns a card for a manager without an e-mail address, whose lost password no other manager may be able to replace. */
export async function recoveryCard(
  { t, checkout }: RequestContext,
  { name, role }: AdminAccess,
): Promise<readonly HealthCard[]> {
  const user = role === 'manager' ? await findAdminUserByName(checkout.db.queries, name) : undefined;
  if (user?.email !== null) return [];
  return [
    {
      title: t('users.recovery.title'),
      figure: t('users.recovery.figure'),
      tone: 'waiting',
      lines: [t('users.recovery.text')],
      links: [{ label: t('users.recovery.action'), href: `${usersPaths.account}#email` }],
    },
  ];
}
