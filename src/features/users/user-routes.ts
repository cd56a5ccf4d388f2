import type { Request, Response } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import { type AdminUser, findAdminUserByName } from '../../tables/admin-users.js';
import { checkbox } from '../../web/fields.js';
import { type FormFields, readForm, refusedWith } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { fieldModels, findRefused, redirectToRefused, redirectToResult, renderForm } from '../../web/form-page.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm } from '../../web/typed-form.js';
import { changeUser, type UserChange } from './change-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { userHistory } from './history.js';
import { adminUserPath } from './paths.js';
import { findUserEvents } from './repository.js';
import { createAccess, sendAccess, storeLink } from './user-access.js';
import { EMAIL, OWN_PASSWORD, ROLE } from './user-fields.js';

const MAX_EVENTS = 50;
const RESULTS = {
  role_changed: 'users.outcomes.role_changed',
  disabled: 'users.outcomes.disabled',
  enabled: 'users.outcomes.enabled',
  unchanged: 'users.outcomes.unchanged',
  mailed: 'users.outcomes.mailed',
  mail_failed: 'users.outcomes.mail_failed',
} as const;

/** Each form of the page has its own field for the manager's password. */
const ROLE_FIELDS = { role: ROLE, role_password: OWN_PASSWORD } as const satisfies FormFields;
const STATE_FIELDS = { state_password: OWN_PASSWORD } as const satisfies FormFields;
const RESET_FIELDS = { email: EMAIL, reset_password: OWN_PASSWORD } as const satisfies FormFields;
const FACTOR_FIELDS = { without_factor: checkbox('users.withoutFactor') } as const satisfies FormFields;

/** Returns the user of the path. Throws `admin_not_found`. */
async function userOf(res: Response): Promise<AdminUser> {
  const user = await findAdminUserByName(contextOf(res).checkout.db.queries, String(res.req.params['name']));
  if (!user) throw new ShopError('admin_not_found');
  return user;
}

/** Changes the role of a user. */
export async function changeRole(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t } = contextOf(res);
  const user = await userOf(res);
  const path = adminUserPath(user);
  const form = readForm(res, ROLE_FIELDS);
  if (form.refused) return redirectToRefused(res, path, form.refused);
  if (!(await confirm(req, res, 'role_password')))
    return redirectToRefused(res, path, refusedWith(form, { role_password: t('users.problems.password') }));
  const outcome = await change(res, { name: user.name, kind: 'role_changed', values: { role: form.values.role } });
  if (outcome === 'last_manager')
    return redirectToRefused(res, path, refusedWith(form, { role: t('users.problems.lastManager') }));
  return redirectToResult(res, path, outcome === 'changed' ? 'role_changed' : outcome);
}

/** Disables or enables a user. The form posts the state that the manager chose, so that a second post of it changes nothing. */
export async function changeState(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const user = await userOf(res);
  const path = adminUserPath(user);
  const form = readForm(res, STATE_FIELDS);
  const kind = postedText(req, 'state') === 'enabled' ? 'enabled' : 'disabled';
  const refuse = (message: string) => redirectToRefused(res, path, refusedWith(form, { state_password: message }));
  if (!(await confirm(req, res, 'state_password'))) return refuse(t('users.problems.password'));
  const disabledAt = kind === 'disabled' ? checkout.clock.now() : null;
  const outcome = await change(res, { name: user.name, kind, values: { disabledAt } });
  if (outcome === 'last_manager') return refuse(t('users.problems.lastManager'));
  return redirectToResult(res, path, outcome === 'changed' ? kind : outcome);
}

/** Replaces the password by a link or a first password. Removes the second factor only if the manager chose it. */
export async function resetUser(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const user = await userOf(res);
  const path = adminUserPath(user);
  const form = readForm(res, { ...FACTOR_FIELDS, ...RESET_FIELDS });
  if (form.refused) return redirectToRefused(res, path, form.refused);
  if (!(await confirm(req, res, 'reset_password')))
    return redirectToRefused(res, path, refusedWith(form, { reset_password: t('users.problems.password') }));
  const { email, without_factor: isWithoutFactor } = form.values;
  const access = await createAccess(email);
  const { passwordHash, mustChangePassword } = access;
  const factor = isWithoutFactor ? { totpSecret: null } : {};
  const values = { email, passwordHash, mustChangePassword, ...factor };
  const at = checkout.clock.now();
  const outcome = await change(res, {
    name: user.name,
    kind: 'reset',
    values,
    afterwards: (queries, { id }) => storeLink(queries, access, id, at),
  });
  if (outcome !== 'changed') return redirectToResult(res, path, 'unchanged');
  await forgetForm(res, path);
  return sendAccess(res, user.name, access, at);
}

async function change(res: Response, wanted: Omit<UserChange, 'by' | 'at'>) {
  const { db, clock, log } = contextOf(res).checkout;
  const by = await ownUser(res);
  const outcome = await changeUser(db, { ...wanted, by, at: clock.now() });
  if (outcome === 'changed') log.info('admin.user_changed', { kind: wanted.kind, user: by.name });
  return outcome;
}

/** Sends the page of one user, with its forms. */
export async function sendUser(_req: Request, res: Response): Promise<void> {
  const user = await userOf(res);
  const path = adminUserPath(user);
  const refused = await findRefused(res, path);
  const i18n = contextOf(res);
  const { t, checkout } = i18n;
  const outcome = res.req.query['result'];
  const page = {
    name: user.name,
    state: t(user.disabledAt === null ? 'users.active' : 'users.disabled'),
    role: t(`users.roles.${user.role}`),
    isDisabled: user.disabledAt !== null,
    path,
    isDone: refused === undefined && outcome !== 'unchanged' && outcome !== 'mail_failed',
    roleFields: fieldModels(t, ROLE_FIELDS, refused, { role: user.role }),
    stateFields: fieldModels(t, STATE_FIELDS, refused),
    factorFields: user.totpSecret === null ? [] : fieldModels(t, FACTOR_FIELDS, refused),
    resetFields: fieldModels(t, RESET_FIELDS, refused, { email: user.email ?? '' }),
    events: userHistory(i18n, await findUserEvents(checkout.db.queries, MAX_EVENTS, user.id)),
  };
  const title = t('users.manage', { name: user.name });
  await renderForm(res, 'users/views/user', { title, path, refused, results: RESULTS, page });
}
