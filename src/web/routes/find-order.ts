import { setTimeout as delay } from 'node:timers/promises';
import type { IRouter, Request, Response } from 'express';
import { mailOrderLink } from '../../checkout/mail-order-link.js';
import { readEmail } from '../../domain/contact.js';
import { readOrderNumber } from '../../domain/ids.js';
import type { WebContext } from '../context.js';
import { fieldsOf, readText } from '../form-body.js';
import { clientAddressOf, limitRate } from '../middleware/rate-limit.js';
import { noStore } from '../middleware/security-headers.js';
import { problemText } from '../pages/contact-fields.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import type { FindOrderPage } from '../view-models.js';

const PATH = '/orders';
/** Longer than the lookup of an order, so that the response time does not reveal whether the order exists. */
const ANSWER_MS = 250;
const TEN_MINUTES_S = 600;
/** Invalid input is shown again up to this length. */
const LONGEST_TYPED = 254;
const LIMITS = [
  { name: 'find_address', most: 10, seconds: TEN_MINUTES_S, keyOf: clientAddressOf },
  { name: 'find_all', most: 600, seconds: TEN_MINUTES_S, keyOf: () => 'find' },
] as const;
const EMPTY: FindOrderPage = { number: { value: '' }, email: { value: '' }, errors: [], sent: false };

/**
 * Adds `GET /orders` and `POST /orders`, which mail a lost order link to the customer.
 * The response is the same whether the order exists or not.
 */
export function addFindOrderRoutes(app: IRouter, web: WebContext): void {
  app.use(PATH, noStore);
  app.get(PATH, (_req, res) => sendPage(web, res, EMPTY));
  app.post(PATH, limitRate(web, LIMITS), (req, res) => answer(web, req, res));
}

async function answer(web: WebContext, req: Request, res: Response): Promise<void> {
  const typed = fieldsOf(req);
  const number = readOrderNumber(readText(typed['number']));
  const email = readEmail(typed['email']);
  if (number === undefined || 'problem' in email) {
    const i18n = contextOf(res);
    return sendPage(
      web,
      res,
      wrongPage(typed, {
        ...(number === undefined && { number: i18n.t('findOrder.numberInvalid') }),
        ...('problem' in email && { email: problemText(i18n, 'email', email.problem) }),
      }),
    );
  }
  await Promise.all([mailOrderLink(web.checkout, { number, email: email.value }), delay(ANSWER_MS)]);
  return sendPage(web, res, { ...EMPTY, sent: true });
}

/** Builds the form with the posted values and the error at each field. */
function wrongPage(
  typed: Readonly<Record<string, unknown>>,
  wrong: { readonly number?: string; readonly email?: string },
): FindOrderPage {
  const field = (name: keyof typeof wrong) => {
    const error = wrong[name];
    return { value: readText(typed[name]).slice(0, LONGEST_TYPED), error };
  };
  const errors = Object.entries(wrong).map(([name, message]) => ({ field: name, message }));
  return { number: field('number'), email: field('email'), errors, sent: false };
}

function sendPage(web: WebContext, res: Response, page: FindOrderPage): Promise<void> {
  const { t } = contextOf(res);
  const wrong = page.errors.length > 0;
  const title = wrong ? t('titles.withErrors', { title: t('findOrder.title') }) : t('findOrder.title');
  return render(web, res, 'find-order', { title, page, status: wrong ? 422 : 200, path: PATH });
}
