import type { Request, Response } from 'express';
import { hashPassword } from '../../admin/credentials.js';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { isPasswordLength } from '../../shop/rules/admin-user.js';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { postedText } from '../../web/form-body.js';
import { adminPaths } from '../../web/paths.js';
import { render, shownLinks } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, redirectToForm, storedText } from '../../web/typed-form.js';
import { changeOwnUser } from './change-own-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { errorsOf, formField, PASSWORD_LIMITS } from './form-fields.js';
import { usersPaths } from './paths.js';
import { ownPasswordField, readEmail } from './users-routes.js';

type PasswordName = 'current_password' | 'new_password' | 'new_password_again';
type Problems = Readonly<Partial<Record<PasswordName | 'email' | 'email_password', string | undefined>>>;
/** A form that was not accepted. */
type Answer = Problems & { readonly typedEmail?: string };

const RESULTS = ['password_changed', 'email_changed'] as const;

/** Adds the account of the signed-in user, and the changes of the own password and e-mail address. */
export function addAccountRoutes(app: AdminRouter, confirm: ConfirmPassword): void {
  app.get(usersPaths.account, sendAccount);
  app.post(usersPaths.accountPassword, (req, res) => changePassword(req, res, confirm));
  app.post(usersPaths.accountEmail, (req, res) => changeEmail(req, res, confirm));
}

/** Ends the other sessions of the user. */
async function changePassword(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t } = contextOf(res);
  const password = postedText(req, 'new_password');
  if (!(await confirm(req, res, 'current_password')))
    return refuseAccount(res, { current_password: t('users.account.problems.password') });
  if (!isPasswordLength(password))
    return refuseAccount(res, { new_password: t('users.account.problems.length', PASSWORD_LIMITS) });
  if (password === postedText(req, 'current_password'))
    return refuseAccount(res, { new_password: t('users.account.problems.same') });
  if (password !== postedText(req, 'new_password_again'))
    return refuseAccount(res, { new_password_again: t('users.account.problems.differ') });
  const { mustChangePassword } = await ownUser(res);
  const passwordHash = await hashPassword(password);
  await changeOwnUser(req, res, { kind: 'password_changed', values: { passwordHash, mustChangePassword: 0 } });
  const changed = `${usersPaths.account}?result=password_changed`;
  // After a first password the work begins.
  res.redirect(303, mustChangePassword === 1 ? adminPaths.overview : changed);
}

/** Stores the address that gets a link after a lost password. Links that were mailed to the former one end. */
async function changeEmail(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t } = contextOf(res);
  const email = readEmail(req);
  const typedEmail = storedText(postedText(req, 'email'));
  if (email === undefined) return refuseAccount(res, { email: t('users.problems.email'), typedEmail });
  if (!(await confirm(req, res, 'email_password')))
    return refuseAccount(res, { email_password: t('users.account.problems.password'), typedEmail });
  await changeOwnUser(req, res, { kind: 'email_changed', values: { email } });
  res.redirect(303, `${usersPaths.account}?result=email_changed`);
}

/** Redirects to the account, which shows the problem at each field. */
function refuseAccount(res: Response, answer: Answer): Promise<void> {
  return redirectToForm(res, usersPaths.account, answer);
}

/** A user with a first password sees only the form for a new one. */
async function sendAccount(_req: Request, res: Response): Promise<void> {
  const { typedEmail, ...problems }: Answer = (await findAnswer<Answer>(res, usersPaths.account)) ?? {};
  const context = contextOf(res);
  const { t } = context;
  const user = await ownUser(res);
  const isFirst = user.mustChangePassword === 1;
  const passwordField = (name: PasswordName, label: string, isNew: boolean) =>
    formField({
      ...{ name, label, type: 'password', autocomplete: isNew ? 'new-password' : 'current-password' },
      ...{
        error: problems[name],
        hint: name === 'new_password' ? t('users.account.newHint', PASSWORD_LIMITS) : undefined,
      },
    });
  const passwordFields = [
    passwordField('current_password', t('users.account.current'), false),
    passwordField('new_password', t('users.account.new'), true),
    passwordField('new_password_again', t('users.account.again'), true),
  ];
  const email = formField({
    ...{ name: 'email', type: 'email', autocomplete: 'email', label: t('users.account.email'), isRequired: false },
    ...{ hint: t('users.account.emailHint'), maxLength: CONTACT_FIELDS.email.maxLength },
    ...{ value: typedEmail ?? user.email ?? '', error: problems.email },
  });
  const emailFields = isFirst ? [] : [email, ownPasswordField(context, 'email_password', problems.email_password)];
  const errors = errorsOf([...passwordFields, ...emailFields]);
  const result = RESULTS.find((each) => each === res.req.query['result']);
  const page = {
    paths: usersPaths,
    who: `${user.name} · ${t(`users.roles.${user.role}`)}`,
    isFirst,
    result: result && t(`users.account.results.${result}`),
    isDone: true,
    errors,
    passwordFields,
    emailFields,
    links: isFirst ? [] : shownLinks(context, adminOf(res), 'account'),
  };
  const title = t('users.account.title');
  await render(res, 'users/account', { title, hasErrors: errors.length > 0, page, path: usersPaths.account });
}
