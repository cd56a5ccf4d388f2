import type { Request, Response } from 'express';
import { hashPassword } from '../../admin/credentials.js';
import { adminOf } from '../../admin/permissions.js';
import { type FormFields, readForm, refusedWith } from '../../web/form.js';
import { fieldModels, findRefused, redirectToRefused, redirectToResult, renderForm } from '../../web/form-page.js';
import { adminPaths } from '../../web/paths.js';
import { shownLinks } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { changeOwnUser } from './change-own-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { usersPaths } from './paths.js';
import { EMAIL, newPasswordFields, OWN_PASSWORD } from './user-fields.js';

const path = usersPaths.account;
const RESULTS = {
  password_changed: 'users.account.results.password_changed',
  email_changed: 'users.account.results.email_changed',
} as const;

const PASSWORD_FIELDS = {
  current_password: { ...OWN_PASSWORD, label: 'users.account.current', hint: undefined },
  ...newPasswordFields('users.account.newHint'),
} as const satisfies FormFields;

const EMAIL_FIELDS = {
  email: { ...EMAIL, label: 'users.account.email', hint: 'users.account.emailHint', autocomplete: 'email' },
  email_password: OWN_PASSWORD,
} as const satisfies FormFields;

/** Changes the own password. Ends the other sessions of the user. */
export async function changePassword(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t } = contextOf(res);
  const form = readForm(res, PASSWORD_FIELDS);
  if (!(await confirm(req, res, 'current_password'))) {
    const message = t('users.account.problems.password');
    return redirectToRefused(res, path, refusedWith(form, { current_password: message }));
  }
  if (form.refused) return redirectToRefused(res, path, form.refused);
  const { mustChangePassword } = await ownUser(res);
  const passwordHash = await hashPassword(form.values.new_password);
  await changeOwnUser(req, res, { kind: 'password_changed', values: { passwordHash, mustChangePassword: 0 } });
  // After a first password the work begins.
  if (mustChangePassword === 1) return res.redirect(303, adminPaths.overview);
  return redirectToResult(res, path, 'password_changed');
}

/** Stores the address that gets a link after a lost password. Links that were mailed to the former one end. */
export async function changeEmail(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const form = readForm(res, EMAIL_FIELDS);
  if (form.refused) return redirectToRefused(res, path, form.refused);
  if (!(await confirm(req, res, 'email_password'))) {
    const message = contextOf(res).t('users.account.problems.password');
    return redirectToRefused(res, path, refusedWith(form, { email_password: message }));
  }
  await changeOwnUser(req, res, { kind: 'email_changed', values: { email: form.values.email } });
  return redirectToResult(res, path, 'email_changed');
}

/** Sends the account of the signed-in user. A user with a first password sees only the form for a new one. */
export async function sendAccount(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t } = context;
  const refused = await findRefused(res, path);
  const user = await ownUser(res);
  const isFirst = user.mustChangePassword === 1;
  const page = {
    paths: usersPaths,
    who: `${user.name} · ${t(`users.roles.${user.role}`)}`,
    isFirst,
    passwordFields: fieldModels(t, PASSWORD_FIELDS, refused),
    emailFields: isFirst ? [] : fieldModels(t, EMAIL_FIELDS, refused, { email: user.email ?? '' }),
    links: isFirst ? [] : shownLinks(context, adminOf(res), 'account'),
  };
  await renderForm(res, 'users/views/account', {
    title: t('users.account.title'),
    path,
    refused,
    results: RESULTS,
    page,
  });
}
