/** Discount codes in the back office: the list, the form of a new code, and their end. */

import { centavos } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import type { I18n } from '../../locales/i18n.js';
import { dayOf, startOfDay } from '../../shop/rules/mexico-day.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { fieldsOf, readText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import {
  confirmationOf,
  type DiscountForm,
  discountFields,
  EMPTY_FORM,
  type NewDiscount,
  postedValues,
  readDiscount,
} from './discount-form.js';
import { discountsPaths, endDiscountPath } from './paths.js';
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
const RESULTS = ['created', 'ended'] as const;
const TONES = { coming: 'waiting', active: 'good', ended: 'bad' } as const;

export function addDiscountsRoutes(app: AdminRouter): void {
  app.get(discountsPaths.discounts, sendDiscounts);
  app.post(discountsPaths.discounts, createDiscount);
  app.post(discountsPaths.endDiscount, endDiscount);
}

async function createDiscount(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const fields = fieldsOf(req);
  const at = clock.now();
  const by = adminOf(res).name;
  const refuse = (errors: DiscountForm['errors'], confirmation?: string) => {
    const form: DiscountForm = { values: postedValues(fields), errors, confirmation };
    return redirectToForm(res, discountsPaths.discounts, form);
  };
  const { errors, discount } = readDiscount(context, fields, dayOf(at));
  if (!discount) return refuse(errors);
  const confirmation = confirmationOf(discount);
  const isAsked = isUnusual(discount, await findHighestPrice(db.queries));
  if (isAsked && readText(fields['confirmed_value']) !== confirmation) {
    const message = context.t('discounts.problems.unusual', { value: valueText(context, discount) });
    return refuse([{ field: 'value', message }], confirmation);
  }
  if (!(await insertCode(db.queries, { ...discount, createdAt: at, createdBy: by, endedAt: null, endedBy: null })))
    return refuse([{ field: 'code', message: context.t('discounts.problems.taken') }]);
  await forgetForm(res, discountsPaths.discounts);
  log.info('discount.created', { user: by });
  res.redirect(303, `${discountsPaths.discounts}?result=created`);
}

/** A second click finds the code ended, which is what the user wanted. */
async function endDiscount(req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const by = adminOf(res).name;
  const code = String(req.params['code']);
  const outcome = await endCode(db.queries, code, { at: clock.now(), by });
  if (outcome === 'unknown') throw new ShopError('admin_not_found');
  if (outcome === 'ended') log.info('discount.ended', { user: by });
  res.redirect(303, `${discountsPaths.discounts}?result=ended`);
}

async function sendDiscounts(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { checkout, t } = context;
  const { queries } = checkout.db;
  const form = (await findAnswer<DiscountForm>(res, discountsPaths.discounts)) ?? EMPTY_FORM;
  const at = checkout.clock.now();
  const codes = await findCodes(queries, MAX_CODES);
  const uses = await findUses(
    queries,
    codes.map(({ code }) => code),
    at,
  );
  const admin = adminOf(res);
  const result = RESULTS.find((each) => each === readText(req.query['result']));
  const page = {
    result: result && t(`discounts.done.${result}`),
    isDone: true,
    errors: form.errors,
    action: discountsPaths.discounts,
    mayCreate: admin.can(`POST ${discountsPaths.discounts}`),
    fields: discountFields(context, form),
    codes: codes.map((code) => codeRow(context, code, uses.get(code.code), at)),
    mayEnd: admin.can(`POST ${discountsPaths.endDiscount}`),
  };
  const hasErrors = form.errors.length > 0;
  await render(res, 'discounts/discounts', {
    title: t('discounts.title'),
    hasErrors,
    page,
    path: discountsPaths.discounts,
    status: hasErrors ? 422 : 200,
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
    endPath: state === 'ended' ? undefined : endDiscountPath(code),
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
