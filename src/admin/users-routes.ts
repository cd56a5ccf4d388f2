import type { Response } from 'express';
import { type AdminUser, findAdminUsers, findSignIns } from '../db/admin-users.js';
import type { WebContext } from '../web/context.js';
import type { I18n } from '../web/pages/shop-pages.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { formatShortMoment } from './format-time.js';
import type { AdminRouter } from './guard-routes.js';

const USERS_PATH = '/admin/users';
const MAX_SIGN_INS = 50;

/** Adds the list of users with their last sign-ins. `npm run admin` changes users. */
export function addUsersRoutes(app: AdminRouter, web: WebContext): void {
  app.get(USERS_PATH, (_req, res) => sendUsers(web, res));
}

async function sendUsers(web: WebContext, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const { queries } = web.checkout.db;
  const users = await findAdminUsers(queries);
  const signIns = await findSignIns(queries, MAX_SIGN_INS);
  const page = {
    users: users.map((user) => userRow(i18n, user)),
    signIns: signIns.map(({ at, name, result }) => ({
      at: formatShortMoment(at, i18n.locale),
      name: name ?? '—',
      result: i18n.t(`admin.users.results.${result}`),
    })),
  };
  await render(web, res, 'admin-users', { title: i18n.t('admin.users.title'), page, path: USERS_PATH });
}

function userRow({ t, locale }: I18n, user: AdminUser) {
  const { name, role, totpSecret, disabledAt, createdAt } = user;
  return {
    name,
    role: t(`admin.users.roles.${role}`),
    secondFactor: t(totpSecret === null ? 'admin.users.without' : 'admin.users.with'),
    state: t(disabledAt === null ? 'admin.users.active' : 'admin.users.disabled'),
    since: formatShortMoment(createdAt, locale),
  };
}
