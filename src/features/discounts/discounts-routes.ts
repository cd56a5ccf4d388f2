/** Discount codes in the back office: the list, the form of a new code, and their end. */

import { centavos } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { I18n } from '../../locales/i18n.js';
import { startOfDay } from '../../shop/rules/mexico-day.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { readForm, refusedWith } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { fieldModels, findRefused, redirectToRefused, redirectToResult, renderForm } from '../../web/form-page.js';
import { pathTo } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { confirmationOf, DISCOUNT_FIELDS, discountOf, type NewDiscount } from './discount-form.js';
import { discountsPaths } from './paths.js';
import {
  type DiscountCode,
  endCode,
  findCodes,
  findHighestPrice,
  findUses,
  insertCode,
  type Uses,
} from './repository.js';
import { isUnusual, stateOf } from './rules.js';

/** Those that were not ended first, then the newest. Others are not shown. */
const MAX_CODES = 200;
const RESULTS = { created: 'discounts.done.created', ended: 'discounts.done.ended' } as const;
const path = discountsPaths.discounts;
const TONES = { coming: 'waiting', active: 'good', ended: 'bad' } as const;

/** Stores a new code. An unusual value is confirmed first. */
export async function createDiscount(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const at = clock.now();
  const by = adminOf(res).name;
  const form = readForm(res, DISCOUNT_FIELDS);
  if (form.refused) return redirectToRefused(res, path, form.refused);
  const discount = discountOf(form.values);
  const confirmation = confirmationOf(discount);
  const isAsked = isUnusual(discount, await findHighestPrice(db.queries));
  if (isAsked && postedText(res.req, 'confirmed_value') !== confirmation) {
    const problem = context.t('discounts.problems.unusual', { value: valueText(context, discount) });
    return redirectToRefused(res, path, { ...refusedWith(form, { value: problem }), asked: { value: confirmation } });
  }
  if (!(await insertCode(db.queries, { ...discount, createdAt: at, createdBy: by, endedAt: null, endedBy: null })))
    return redirectToRefused(res, path, refusedWith(form, { code: context.t('discounts.problems.taken') }));
  log.info('discount.created', { user: by });
  return redirectToResult(res, path, 'created');
}

/** A second click finds the code ended, which is what the user wanted. */
export async function endDiscount(req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const by = adminOf(res).name;
  const code = String(req.params['code']);
  const outcome = await endCode(db.queries, code, { at: clock.now(), by });
  if (outcome === 'unknown') throw new ShopError('admin_not_found');
  if (outcome === 'ended') log.info('discount.ended', { user: by });
  res.redirect(303, `${path}?result=ended`);
}

/** Sends the codes, and the form of a new one. */
export async function sendDiscounts(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { checkout, t } = context;
  const { queries } = checkout.db;
  const refused = await findRefused(res, path);
  const at = checkout.clock.now();
  const codes = await findCodes(queries, MAX_CODES);
  const uses = await findUses(
    queries,
    codes.map(({ code }) => code),
    at,
  );
  const admin = adminOf(res);
  const page = {
    action: path,
    mayCreate: admin.can(`POST ${path}`),
    fields: fieldModels(t, DISCOUNT_FIELDS, refused, { kind: 'percent' }),
    codes: codes.map((code) => codeRow(context, code, uses.get(code.code), at)),
    mayEnd: admin.can(`POST ${discountsPaths.endDiscount}`),
  };
  await renderForm(res, 'discounts/views/discounts', {
    title: t('discounts.title'),
    path,
    refused,
    results: RESULTS,
    page,
  });
}

function codeRow(i18n: I18n, code: DiscountCode, uses: Uses | undefined, at: number) {
  const { t, money, shortMoment } = i18n;
  const state = stateOf(code, at);
  const { paid = 0, held = 0, revenue = 0 } = uses ?? {};
  const used =
    code.maxUses === null ? t('discounts.used', { paid }) : t('discounts.usedOf', { paid, max: code.maxUses });
  const history = [
    t('discounts.createdBy', { by: code.createdBy, at: shortMoment(code.createdAt) }),
    ...(code.endedAt === null
      ? []
      : [t('discounts.endedBy', { by: code.endedBy ?? '', at: shortMoment(code.endedAt) })]),
  ];
  return {
    code: code.code,
    discount: valueText(i18n, code),
    minimum: code.minimum > 0 ? t('discounts.from', { minimum: money(code.minimum) }) : undefined,
    days: daysText(i18n, code),
    used,
    held: held > 0 ? t('discounts.held', { count: held }) : undefined,
    revenue: `${revenue < 0 ? '−' : ''}${money(centavos(Math.abs(revenue)))}`,
    state: t(`discounts.states.${state}`),
    tone: TONES[state],
    history,
    endPath: state === 'ended' ? undefined : pathTo(discountsPaths.endDiscount, code),
  };
}

function valueText({ t, money }: I18n, { kind, value }: NewDiscount): string {
  return kind === 'percent' ? t('discounts.percent', { value }) : money(centavos(value));
}

function daysText({ t, day }: I18n, { startsOn, endsOn }: DiscountCode): string {
  const [first, last] = [startsOn, endsOn].map((each) => each && day(startOfDay(each)));
  if (first && last) return t('discounts.fromTo', { first, last });
  if (first) return t('discounts.fromDay', { first });
  return last ? t('discounts.untilDay', { last }) : t('discounts.always');
}
