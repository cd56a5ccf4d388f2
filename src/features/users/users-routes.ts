import type { Request, Response } from 'express';
import { addAdminUser } from '../../admin/credentials.js';
import { type AdminRouter, EVERY_ROLE } from '../../admin/permissions.js';
import { findAdminUserByName, findAdminUsers, recordUserEvent } from '../../db/admin-users.js';
import type { I18n } from '../../locales/i18n.js';
import { isAdminName } from '../../shop/rules/admin-user.js';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { readField } from '../../shop/rules/form-field.js';
import { fieldsOf, postedText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { lockManagersFor } from './change-user.js';
import { type ConfirmPassword, ownUser } from './confirm-password.js';
import { errorsOf, formField } from './form-fields.js';
import { userHistory } from './history.js';
import { adminUserPath, usersPaths } from './paths.js';
import { findSignIns, findUserEvents } from './repository.js';
import { createAccess, sendAccess, storeLink } from './user-access.js';

const MAX_ROWS = 50;
const MAX_NAME_LENGTH = 40;

/** A form as typed, with the problem of each field. */
interface AddForm {
  readonly values: Readonly<Partial<Record<FieldName, string>>>;
  readonly problems: Readonly<Partial<Record<FieldName, string | undefined>>>;
}
type FieldName = 'name' | 'role' | 'email' | 'own_password';
const EMPTY: AddForm = { values: {}, problems: {} };

/** Adds the list of users with the form of a new one, their last changes and sign-ins. */
export function addUsersRoutes(app: AdminRouter, confirm: ConfirmPassword): void {
  app.get(usersPaths.users, sendUsers);
  app.post(usersPaths.users, (req, res) => addUser(req, res, confirm));
}

async function addUser(req: Request, res: Response, confirm: ConfirmPassword): Promise<void> {
  const { t, checkout } = contextOf(res);
  const { db, clock, log } = checkout;
  const name = postedText(req, 'name').trim();
  const role = EVERY_ROLE.find((each) => each === postedText(req, 'role'));
  const email = readEmail(req);
  const problems = {
    name: isAdminName(name) ? undefined : t('users.problems.name'),
    role: role ? undefined : t('users.problems.role'),
    email: email === undefined ? t('users.problems.email') : undefined,
    own_password: (await confirm(req, res, 'own_password')) ? undefined : t('users.problems.password'),
  };
  const values = { name, role: role ?? '', email: postedText(req, 'email') };
  const hasProblem = Object.values(problems).some((problem) => problem !== undefined);
  if (hasProblem || !role || email === undefined) return redirectToForm(res, usersPaths.users, { values, problems });
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
  const taken = { values, problems: { name: t('users.problems.taken') } };
  if (!isAdded) return redirectToForm(res, usersPaths.users, taken);
  await forgetForm(res, usersPaths.users);
  log.info('admin.user_changed', { kind: 'added', user: by.name });
  return sendAccess(res, name, access, at);
}

/** Returns the posted address, null without one, or `undefined` if it is invalid. */
export function readEmail(req: Request): string | null | undefined {
  const result = readField(fieldsOf(req)['email'], { ...CONTACT_FIELDS.email, isOptional: true });
  if ('problem' in result) return undefined;
  return result.value === '' ? null : result.value;
}

export function roleOptions({ t }: I18n) {
  return EVERY_ROLE.map((value) => ({ value, label: t(`users.roles.${value}`) }));
}

export function emailField({ t }: I18n, value: string, error: string | undefined) {
  const texts = { label: t('users.email'), hint: t('users.emailHint') };
  const maxLength = CONTACT_FIELDS.email.maxLength;
  return formField({ name: 'email', type: 'email', ...texts, value, error, maxLength, isRequired: false });
}

/** The field for the password of the signed-in user. Each form of a page has its own name. */
export function ownPasswordField({ t }: I18n, name: string, error: string | undefined) {
  const texts = { label: t('users.ownPassword'), hint: t('users.ownPasswordHint') };
  return formField({ name, type: 'password', ...texts, autocomplete: 'current-password', error });
}

async function sendUsers(_req: Request, res: Response): Promise<void> {
  const { values, problems } = (await findAnswer<AddForm>(res, usersPaths.users)) ?? EMPTY;
  const i18n = contextOf(res);
  const { t, shortMoment, checkout } = i18n;
  const { queries } = checkout.db;
  const users = await findAdminUsers(queries);
  const signIns = await findSignIns(queries, MAX_ROWS);
  const texts = { label: t('users.newName'), hint: t('users.newNameHint') };
  const roles = { options: roleOptions(i18n), choose: t('users.chooseRole'), hint: t('users.roleHint') };
  const name = { name: 'name', value: values.name ?? '', error: problems.name, maxLength: MAX_NAME_LENGTH };
  const role = { name: 'role', value: values.role ?? '', error: problems.role, label: t('users.role') };
  const fields = [
    formField({ ...name, ...texts }),
    formField({ ...role, ...roles }),
    emailField(i18n, values.email ?? '', problems.email),
    ownPasswordField(i18n, 'own_password', problems.own_password),
  ];
  const errors = errorsOf(fields);
  const page = {
    paths: usersPaths,
    errors,
    fields,
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
  const hasErrors = errors.length > 0;
  await render(res, 'users/users', { title: t('users.title'), hasErrors, page, path: usersPaths.users });
}
