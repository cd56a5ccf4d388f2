import { plainText } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { type AdminRoute, adminOf, MANAGER } from '../../admin/permissions.js';
import { addDays, dayOf, isDay } from '../../shop/rules/mexico-day.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import type { FieldError } from '../../web/field-error.js';
import { errorList } from '../../web/form.js';
import { readText } from '../../web/form-body.js';
import { limiterOf, reportLimit } from '../../web/middleware/rate-limit.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { WebContext } from '../../web/web-context.js';
import { type Days, exportPayments } from './export-payments.js';
import { reconciliationPaths } from './paths.js';
import { type LookupAnswer, lookupAnswer, unmatchedList } from './unmatched-payments.js';

/** Lookups of one user. They count in the account's limit at the gateway. */
export const LOOKUP_LIMIT = { name: 'payment_lookups', max: 20, seconds: 60 } as const;

const MAX_DAYS = 366;
/** Ids of the gateway. PostgreSQL refuses NUL. */
const GATEWAY_ID = /^\P{Cc}{1,255}$/u;

interface Shown {
  readonly typed?: Partial<Record<'from' | 'to' | 'id', string>>;
  readonly errors?: readonly FieldError[];
  readonly answer?: LookupAnswer;
  readonly status?: number;
}

/** The page with payments without an order, the CSV file of payments by day, and the lookup of one payment. */
export function reconciliationRoutes(web: WebContext): readonly AdminRoute[] {
  const lookups = limiterOf(web, LOOKUP_LIMIT);
  return [
    {
      get: reconciliationPaths.page,
      roles: MANAGER,
      handler: (_req, res) => sendPage(res, {}),
      link: { on: 'orders', label: (t) => t('reconciliation.title') },
    },
    { get: reconciliationPaths.payments, roles: MANAGER, handler: sendPayments },
    { get: reconciliationPaths.lookup, roles: MANAGER, handler: (req, res) => showPayment(req, res, lookups) },
  ];
}

async function showPayment(req: Request, res: Response, lookups: ClientLimiter): Promise<void> {
  const id = plainText(readText(req.query['id'])).trim();
  const { t, checkout } = contextOf(res);
  if (!GATEWAY_ID.test(id)) {
    const errors = errorList({ id: t('reconciliation.noId') });
    return sendPage(res, { typed: { id }, errors });
  }
  const user = adminOf(res).name;
  const seconds = await lookups.count(user);
  if (seconds !== undefined) {
    reportLimit(res, LOOKUP_LIMIT.name, seconds);
    const errors = errorList({ id: t('reconciliation.waiting', { seconds }) });
    return sendPage(res, { typed: { id }, errors, status: 429 });
  }
  const shown = await checkout.payments.showPayment(id);
  checkout.log.info('payment.shown', { user });
  await sendPage(res, { typed: { id }, answer: await lookupAnswer(contextOf(res), id, shown) });
}

async function sendPayments({ query }: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const typed: Days = { from: readText(query['from']).trim(), to: readText(query['to']).trim() };
  const notADay = t('reconciliation.notADay', { day: dayOf(checkout.clock.now()) });
  const from = !isDay(typed.from) && notADay;
  const to = isDay(typed.to) ? !from && lengthProblem(res, typed) : notADay;
  const errors = errorList({ from, to });
  if (errors.length > 0) return sendPage(res, { typed, errors });
  await exportPayments(res, typed);
}

function lengthProblem(res: Response, { from, to }: Days): string | false {
  const { t } = contextOf(res);
  if (to < from) return t('reconciliation.endsBeforeItBegins');
  return to > addDays(from, MAX_DAYS - 1) && t('reconciliation.tooLong', { days: MAX_DAYS });
}

async function sendPage(res: Response, { typed, errors = [], answer, status }: Shown): Promise<void> {
  const context = contextOf(res);
  const today = dayOf(context.checkout.clock.now());
  const { from = `${today.slice(0, 8)}01`, to = today, id = '' } = typed ?? {};
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.message;
  const dayField = (name: 'from' | 'to', value: string) => {
    const error = errorOf(name);
    // A day field would not show what was typed.
    return { name, label: context.t(`reconciliation.${name}`), kind: error ? 'text' : 'date', value, error };
  };
  await render(res, 'reconciliation/views/reconciliation', {
    title: context.t('reconciliation.title'),
    hasErrors: errors.length > 0,
    path: reconciliationPaths.page,
    status,
    page: {
      paths: reconciliationPaths,
      errors,
      days: [dayField('from', from), dayField('to', to)],
      id: {
        name: 'id',
        autocapitalize: 'none',
        value: id,
        error: errorOf('id'),
        label: context.t('reconciliation.id'),
        hint: context.t('reconciliation.lookupHint'),
      },
      answer,
      ...(await unmatchedList(context)),
    },
  });
}
