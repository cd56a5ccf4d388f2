import type { AdminRouter } from '../../admin/permissions.js';
import { findAdminUsers } from '../../db/admin-users.js';
import { adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findSignIns } from './repository.js';

const MAX_SIGN_INS = 50;

/** Adds the list of users with their last sign-ins. `npm run admin` changes users. */
export function addUsersRoutes(app: AdminRouter): void {
  app.get(adminPaths.users, async (_req, res) => {
    const { t, shortMoment, checkout } = contextOf(res);
    const users = await findAdminUsers(checkout.db.queries);
    const signIns = await findSignIns(checkout.db.queries, MAX_SIGN_INS);
    const page = {
      users: users.map(({ name, role, totpSecret, disabledAt, createdAt }) => ({
        name,
        role: t(`admin.users.roles.${role}`),
        secondFactor: t(totpSecret === null ? 'admin.users.without' : 'admin.users.with'),
        state: t(disabledAt === null ? 'admin.users.active' : 'admin.users.disabled'),
        since: shortMoment(createdAt),
      })),
      signIns: signIns.map(({ at, name, result }) => ({
        at: shortMoment(at),
        name: name ?? '—',
        result: t(`admin.users.results.${result}`),
      })),
    };
    await render(res, 'admin-users', { title: t('admin.users.title'), page, path: adminPaths.users });
  });
}
