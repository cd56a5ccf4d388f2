import type { Request, Response } from 'express';
import { type AdminRouter, EVERY_ROLE } from '../../admin/permissions.js';
import { type AdminUser, findAdminUserByName } from '../../db/admin-users.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { postedText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, redirectToForm } from '../../web/typed-form.js';
import { changeUser, type UserChange } from './change-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { errorsOf, formField } from './form-fields.js';
import { userHistory } from './history.js';
import { adminUserPath, usersPaths } from './paths.js';
import { findUserEvents } from './repository.js';
import { createAccess, sendAccess, storeLink } from './user-access.js';
import { emailField, ownPasswordField, readEmail, roleOptions } from './users-routes.js';

const MAX_EVENTS = 50;
const OUTCOMES = ['role_changed', 'disabled', 'enabled', 'unchanged', 'mailed', 'mail_failed'] as const;

/** The fields of the page. Each form has its own field for the manager's password. */
type FieldName = 'role' | 'email' | 'role_password' | 'state_password' | 'reset_password';
type Problems = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** Adds the page of one user, and the forms that change its role, disable or enable it, and reset its access. */
export function addUserRoutes(app: AdminRouter, confirm: ConfirmPassword): void {
  app.get(usersPaths.user, sendUser);
  app.post(usersPaths.userRole, (req, res) => changeRole(req, res, confirm));
  app.post(usersPaths.userState, (req, res) => changeState(req, res, confirm));
  app.post(usersPaths.resetUser, (req, res) => resetUser(req, res, confirm));
}

/** Returns the user of the path. Throws `admin_not_found`. */
async function userOf(res: Response): Promise<AdminUser> {
  const user = await findAdminUserByName(contextOf(res).checkout.db.queries, String(res.req.params['name']));
  if (!user) throw new ShopError('admin_not_found');
  return user;
}

async function changeRole(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t } = contextOf(res);
  const user = await userOf(res);
  const role = EVERY_ROLE.find((each) => each === postedText(req, 'role'));
  if (!role) return refuse(res, user, { role: t('users.problems.role') });
  if (!(await confirm(req, res, 'role_password')))
    return refuse(res, user, { role_password: t('users.problems.password') });
  const outcome = await change(res, { name: user.name, kind: 'role_changed', values: { role } });
  if (outcome === 'last_manager') return refuse(res, user, { role: t('users.problems.lastManager') });
  res.redirect(303, `${adminUserPath(user)}?result=${outcome === 'changed' ? 'role_changed' : outcome}`);
}

/** The form posts the state that the manager chose, so that a second post of it changes nothing. */
async function changeState(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const user = await userOf(res);
  const kind = postedText(req, 'state') === 'enabled' ? 'enabled' : 'disabled';
  if (!(await confirm(req, res, 'state_password')))
    return refuse(res, user, { state_password: t('users.problems.password') });
  const disabledAt = kind === 'disabled' ? checkout.clock.now() : null;
  const outcome = await change(res, { name: user.name, kind, values: { disabledAt } });
  if (outcome === 'last_manager') return refuse(res, user, { state_password: t('users.problems.lastManager') });
  res.redirect(303, `${adminUserPath(user)}?result=${outcome === 'changed' ? kind : outcome}`);
}

/** Replaces the password by a link or a first password. Removes the second factor only if the manager chose it. */
async function resetUser(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const user = await userOf(res);
  const email = readEmail(req);
  if (email === undefined) return refuse(res, user, { email: t('users.problems.email') });
  if (!(await confirm(req, res, 'reset_password')))
    return refuse(res, user, { reset_password: t('users.problems.password') });
  const access = await createAccess(email);
  const { passwordHash, mustChangePassword } = access;
  const factor = postedText(req, 'without_factor') === 'yes' ? { totpSecret: null } : {};
  const values = { email, passwordHash, mustChangePassword, ...factor };
  const at = checkout.clock.now();
  const outcome = await change(res, {
    ...{ name: user.name, kind: 'reset', values },
    afterwards: (queries, { id }) => storeLink(queries, access, id, at),
  });
  if (outcome !== 'changed') return res.redirect(303, `${adminUserPath(user)}?result=unchanged`);
  return sendAccess(res, user.name, access, at);
}

async function change(res: Response, wanted: Omit<UserChange, 'by' | 'at'>) {
  const { db, clock, log } = contextOf(res).checkout;
  const by = await ownUser(res);
  const outcome = await changeUser(db, { ...wanted, by, at: clock.now() });
  if (outcome === 'changed') log.info('admin.user_changed', { kind: wanted.kind, user: by.name });
  return outcome;
}

/** The page shows the stored role and address beside the problems. */
function refuse(res: Response, user: AdminUser, problems: Problems): Promise<void> {
  return redirectToForm(res, adminUserPath(user), problems);
}

async function sendUser(_req: Request, res: Response): Promise<void> {
  const user = await userOf(res);
  const problems = (await findAnswer<Problems>(res, adminUserPath(user))) ?? {};
  const i18n = contextOf(res);
  const { t, checkout } = i18n;
  const { query } = res.req;
  const outcome = OUTCOMES.find((each) => each === query['result']);
  const events = await findUserEvents(checkout.db.queries, MAX_EVENTS, user.id);
  const roles = { options: roleOptions(i18n), choose: t('users.chooseRole'), hint: t('users.roleHint') };
  const label = t('users.role');
  const role = formField({ name: 'role', label, ...roles, value: user.role, error: problems.role });
  const roleFields = [role, ownPasswordField(i18n, 'role_password', problems.role_password)];
  const stateFields = [ownPasswordField(i18n, 'state_password', problems.state_password)];
  const email = emailField(i18n, user.email ?? '', problems.email);
  const resetFields = [email, ownPasswordField(i18n, 'reset_password', problems.reset_password)];
  const errors = errorsOf([...roleFields, ...stateFields, ...resetFields]);
  const page = {
    name: user.name,
    state: t(user.disabledAt === null ? 'users.active' : 'users.disabled'),
    role: t(`users.roles.${user.role}`),
    isDisabled: user.disabledAt !== null,
    hasSecondFactor: user.totpSecret !== null,
    path: adminUserPath(user),
    result: outcome && t(`users.outcomes.${outcome}`),
    isDone: outcome !== 'unchanged' && outcome !== 'mail_failed',
    errors,
    roleFields,
    stateFields,
    resetFields,
    events: userHistory(i18n, events),
  };
  const title = t('users.manage', { name: user.name });
  await render(res, 'users/user', { title, hasErrors: errors.length > 0, page, path: page.path });
}
