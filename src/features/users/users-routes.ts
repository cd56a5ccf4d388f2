import type { Request, Response } from 'express';
import { addAdminUser } from '../../admin/credentials.js';
import { isAdminName } from '../../shop/rules/admin-user.js';
import { findAdminUserByName, findAdminUsers, recordUserEvent } from '../../tables/admin-users.js';
import { errorList, type FormFields, readForm, refusedWith } from '../../web/form.js';
import { fieldModels, findRefused, redirectToRefused, renderForm } from '../../web/form-page.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm } from '../../web/typed-form.js';
import { lockManagersFor } from './change-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { userHistory } from './history.js';
import { adminUserPath, usersPaths } from './paths.js';
import { findSignIns, findUserEvents } from './repository.js';
import { createAccess, sendAccess, storeLink } from './user-access.js';
import { EMAIL, OWN_PASSWORD, ROLE } from './user-fields.js';

const MAX_ROWS = 50;
const path = usersPaths.users;

const USER_FIELDS = {
  name: {
    label: 'users.newName',
    hint: 'users.newNameHint',
    isRequired: true,
    parse: (typed) => (isAdminName(typed) ? typed : undefined),
    problem: 'users.problems.name',
  },
  role: ROLE,
  email: EMAIL,
  own_password: OWN_PASSWORD,
} as const satisfies FormFields;

/** Adds a user, and sends its access. */
export async function addUser(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const { db, clock, log } = checkout;
  const form = readForm(res, USER_FIELDS);
  const isConfirmed = await confirm(req, res, 'own_password');
  if (form.refused || !isConfirmed) {
    const unconfirmed = errorList({ own_password: !isConfirmed && t('users.problems.password') });
    const errors = [...(form.refused?.errors ?? []), ...unconfirmed];
    return redirectToRefused(res, path, { ...refusedWith(form, {}), errors });
  }
  const { name, role, email } = form.values;
  const by = await ownUser(res);
  const access = await createAccess(email);
  const at = clock.now();
  const { passwordHash, mustChangePassword } = access;
  const isAdded = await db.transaction(async (queries) => {
    await lockManagersFor(queries, by);
    if (!(await addAdminUser(queries, { name, role, email, passwordHash, mustChangePassword }, at))) return false;
    const user = await findAdminUserByName(queries, name);
    if (!user) throw new Error('the user is missing');
    await recordUserEvent(queries, { userId: user.id, at, by: by.name, kind: 'added', role });
    await storeLink(queries, access, user.id, at);
    return true;
  });
  if (!isAdded) return redirectToRefused(res, path, refusedWith(form, { name: t('users.problems.taken') }));
  await forgetForm(res, path);
  log.info('admin.user_changed', { kind: 'added', user: by.name });
  return sendAccess(res, name, access, at);
}

/** Sends the list of users with the form of a new one, their last changes and sign-ins. */
export async function sendUsers(_req: Request, res: Response): Promise<void> {
  const refused = await findRefused(res, path);
  const i18n = contextOf(res);
  const { t, shortMoment, checkout } = i18n;
  const { queries } = checkout.db;
  const users = await findAdminUsers(queries);
  const signIns = await findSignIns(queries, MAX_ROWS);
  const page = {
    paths: usersPaths,
    fields: fieldModels(t, USER_FIELDS, refused),
    hasSecondFactors: users.some(({ totpSecret }) => totpSecret !== null),
    users: users.map(({ name, role, totpSecret, disabledAt, createdAt }) => ({
      name,
      href: adminUserPath({ name }),
      role: t(`users.roles.${role}`),
      secondFactor: t(totpSecret === null ? 'users.without' : 'users.with'),
      state: t(disabledAt === null ? 'users.active' : 'users.disabled'),
      since: shortMoment(createdAt),
    })),
    events: userHistory(i18n, await findUserEvents(queries, MAX_ROWS)),
    signIns: signIns.map(({ at, name, result }) => ({
      at: shortMoment(at),
      name: name ?? '—',
      result: t(`users.signInResults.${result}`),
    })),
  };
  await renderForm(res, 'users/views/users', { title: t('users.title'), path, refused, results: {}, page });
}
