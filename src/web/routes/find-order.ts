import { setTimeout as delay } from 'node:timers/promises';
import type { IRouter, Request, Response } from 'express';
import { mailOrderLink } from '../../checkout/mail-order-link.js';
import { CONTACT_FIELDS } from '../../domain/contact.js';
import { readField } from '../../domain/form-field.js';
import { readOrderNumber } from '../../domain/ids.js';
import { brand } from '../../locales/brand.js';
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
  const posted = fieldsOf(req);
  const number = readOrderNumber(readText(posted['number']), brand.orderPrefix);
  const email = readField(posted['email'], CONTACT_FIELDS.email);
  if (number !== undefined && 'value' in email) {
    await Promise.all([mailOrderLink(web.checkout, { number, email: email.value }), delay(ANSWER_MS)]);
    return sendPage(web, res, { ...EMPTY, sent: true });
  }
  const i18n = contextOf(res);
  const field = (name: 'number' | 'email', error: string | undefined) => ({
    value: readText(posted[name]).slice(0, LONGEST_TYPED),
    error,
  });
  const fields = {
    number: field('number', number === undefined ? i18n.t('findOrder.numberInvalid') : undefined),
    email: field('email', 'problem' in email ? problemText(i18n, 'email', email.problem) : undefined),
  };
  const errors = Object.entries(fields).flatMap(([name, { error }]) =>
    error === undefined ? [] : [{ field: name, message: error }],
  );
  return sendPage(web, res, { ...fields, errors, sent: false });
}

function sendPage(web: WebContext, res: Response, page: FindOrderPage): Promise<void> {
  const { t } = contextOf(res);
  const wrong = page.errors.length > 0;
  const title = wrong ? t('titles.withErrors', { title: t('findOrder.title') }) : t('findOrder.title');
  return render(web, res, 'find-order', { title, page, status: wrong ? 422 : 200, path: PATH });
}
