import type { Request, Response } from 'express';
import { encodeQR } from 'qr';
import { type AdminRoute, EVERY_ROLE } from '../../admin/permissions.js';
import type { AdminUser } from '../../tables/admin-users.js';
import { errorList, type FormFields, type RefusedForm, readForm, refusedWith } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { fieldModels, findRefused, redirectToRefused, renderForm } from '../../web/form-page.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findForm, forgetForm } from '../../web/typed-form.js';
import type { WebContext } from '../../web/web-context.js';
import { changeOwnUser, type OwnChange } from '../users/change-own-user.js';
import { confirmWith, ownUser } from '../users/confirm-password.js';
import { newCode } from '../users/random-codes.js';
import { OWN_PASSWORD } from '../users/user-fields.js';
import { secondFactorPaths as paths } from './paths.js';
import { countRecoveryCodes, putRecoveryCodes, useTotpStep } from './repository.js';
import { newTotpSecret, recoveryCodeHash, totpAddress, totpStepOf } from './totp.js';
import { openTotpSecret, sealTotpSecret } from './totp-secret.js';

const RECOVERY_CODES = 10;
/** Light modules around a QR code (ISO/IEC 18004). */
const QUIET_ZONE = 4;
const RESULTS = { removed: 'secondFactor.removed' } as const;
/** Time from the password to the first code. */
const SET_UP_MS = 10 * 60 * 1000;

/** A secret that does not count yet, encrypted for its user. It is stored in the session in which the password was typed. */
interface SetUpForm extends RefusedForm {
  readonly sealed: string;
  readonly until: number;
}

const FACTOR_FIELDS = {
  factor_password: { ...OWN_PASSWORD, label: 'secondFactor.password', hint: undefined },
} as const satisfies FormFields;

const CODE_FIELDS = {
  code: {
    label: 'secondFactor.code',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    isRequired: true,
    parse: (typed) => typed,
    problem: 'secondFactor.problems.code',
  },
} as const satisfies FormFields;

/** The second factor of the signed-in user: its page, set-up, removal and recovery codes. Each change asks for the password. */
export function secondFactorRoutes(web: WebContext): readonly AdminRoute[] {
  const confirm = confirmWith(web);
  const confirmed = (work: (req: Request, res: Response) => Promise<void>) => async (req: Request, res: Response) => {
    if (await confirm(req, res, 'factor_password')) return work(req, res);
    return refuse(res, contextOf(res).t('secondFactor.problems.password'));
  };
  return [
    {
      get: paths.secondFactor,
      roles: EVERY_ROLE,
      handler: sendFactor,
      link: { on: 'account', label: (t) => t('secondFactor.title') },
    },
    { post: paths.secondFactor, roles: EVERY_ROLE, handler: confirmed(beginSetUp) },
    { get: paths.setUp, roles: EVERY_ROLE, handler: sendSetUp },
    { post: paths.setUp, roles: EVERY_ROLE, handler: setUp },
    { post: paths.remove, roles: EVERY_ROLE, handler: confirmed(remove) },
    { post: paths.recoveryCodes, roles: EVERY_ROLE, handler: confirmed(renewCodes) },
  ];
}

/** Redirects to the page of the second factor, which shows the problem at the password. */
function refuse(res: Response, problem: string): Promise<void> {
  return redirectToRefused(
    res,
    paths.secondFactor,
    refusedWith(readForm(res, FACTOR_FIELDS), { factor_password: problem }),
  );
}

async function sendFactor(_req: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const { id, totpSecret } = await ownUser(res);
  const path = paths.secondFactor;
  const refused = await findRefused(res, path);
  const page = {
    paths,
    fields: fieldModels(t, FACTOR_FIELDS, refused),
    isOn: totpSecret !== null,
    codesLeft: t('secondFactor.codesLeft', { count: await countRecoveryCodes(checkout.db.queries, id) }),
  };
  const title = t('secondFactor.title');
  await renderForm(res, 'second-factor/views/second-factor', { title, path, refused, results: RESULTS, page });
}

async function beginSetUp(_req: Request, res: Response): Promise<void> {
  const { checkout, secrets } = contextOf(res);
  const { id } = await ownUser(res);
  const sealed = sealTotpSecret(newTotpSecret(), id, secrets.sessionSecrets[0]);
  const until = checkout.clock.now() + SET_UP_MS;
  const form: SetUpForm = { sealed, until, typed: {}, errors: [], status: 200 };
  await redirectToRefused(res, paths.setUp, form);
}

/** Returns the form and its secret. `undefined` if the password was not typed in this session within 10 min. */
async function findSetUp(res: Response, { id }: AdminUser) {
  const { checkout, secrets } = contextOf(res);
  const form = await findForm<SetUpForm>(res, paths.setUp);
  if (!form || form.until <= checkout.clock.now()) return undefined;
  const secret = openTotpSecret(form.sealed, id, secrets.sessionSecrets);
  return secret === undefined ? undefined : { form, secret };
}

async function sendSetUp(_req: Request, res: Response): Promise<void> {
  const { t, brand } = contextOf(res);
  const user = await ownUser(res);
  const setUp = await findSetUp(res, user);
  if (!setUp) return res.redirect(303, paths.secondFactor);
  const { secret } = setUp;
  const refused = await findRefused(res, paths.setUp);
  const address = totpAddress(brand.name, secret, user.name);
  const rows = encodeQR(address, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  const page = {
    paths,
    fields: fieldModels(t, CODE_FIELDS, refused),
    address,
    secret: secret.replace(/.{4}(?=.)/g, '$& '),
    qr: { size: rows.length, path: dark.join('') },
  };
  const title = t('secondFactor.setUp');
  await renderForm(res, 'second-factor/views/set-up', { title, path: paths.secondFactor, refused, page });
}

/** The secret counts after a correct code. Guesses are no threat: the page shows the secret. */
async function setUp(req: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const user = await ownUser(res);
  const found = await findSetUp(res, user);
  if (!found) return refuse(res, t('secondFactor.problems.again'));
  const { form, secret } = found;
  const step = totpStepOf(secret, postedText(req, 'code'), checkout.clock.now());
  if (step === undefined || !(await useTotpStep(checkout.db.queries, user.id, step)))
    return redirectToRefused(res, paths.setUp, {
      ...form,
      errors: errorList({ code: t('secondFactor.problems.code') }),
      status: 422,
    });
  await forgetForm(res, paths.setUp);
  await storeFactor(req, res, 'factor_set', form.sealed);
}

async function remove(req: Request, res: Response): Promise<void> {
  await storeFactor(req, res, 'factor_removed', null);
}

async function renewCodes(req: Request, res: Response): Promise<void> {
  const { totpSecret } = await ownUser(res);
  if (totpSecret === null) return res.redirect(303, paths.secondFactor);
  await storeFactor(req, res, 'codes_renewed', undefined);
}

type FactorChange = Exclude<OwnChange['kind'], 'password_changed'>;

/** Stores the change and shows the new recovery codes. */
async function storeFactor(req: Request, res: Response, kind: FactorChange, totpSecret: string | null | undefined) {
  const codes = kind === 'factor_removed' ? [] : Array.from({ length: RECOVERY_CODES }, newCode);
  const hashes = codes.flatMap((code) => recoveryCodeHash(code) ?? []);
  await changeOwnUser(req, res, {
    kind,
    values: { totpSecret },
    async afterwards(queries, { id }) {
      if (hashes.length > 0) await putRecoveryCodes(queries, id, hashes);
    },
  });
  if (codes.length === 0) return res.redirect(303, `${paths.secondFactor}?result=removed`);
  return sendCodes(res, codes);
}

function sendCodes(res: Response, codes: readonly string[]): Promise<void> {
  const { t } = contextOf(res);
  const title = t('secondFactor.codesTitle');
  const next = { href: paths.secondFactor, label: t('secondFactor.done') };
  const page = { heading: title, hint: t('secondFactor.codesHint'), secrets: codes, next };
  return render(res, 'users/views/shown-once', { title, page, path: paths.secondFactor });
}
