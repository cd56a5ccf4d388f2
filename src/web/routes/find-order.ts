import { setTimeout as delay } from 'node:timers/promises';
import type { IRouter, Request, Response } from 'express';
import { mailOrderLink } from '../../checkout/mail-order-link.js';
import { CONTACT_FIELDS } from '../../domain/contact.js';
import { readField } from '../../domain/form-field.js';
import { readOrderNumber } from '../../domain/ids.js';
import { brand } from '../../locales/brand.js';
import { clientAddressOf } from '../client-address.js';
import { problemText } from '../contact-fields.js';
import type { WebContext } from '../context.js';
import { fieldsOf, postedText } from '../form-body.js';
import { limitRate } from '../middleware/rate-limit.js';
import { noStore } from '../middleware/security-headers.js';
import { paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';

/** Longer than the lookup of an order, so that the response time does not reveal whether the order exists. */
const ANSWER_MS = 250;
const TEN_MINUTES_S = 600;
/** Invalid input is shown again up to this length. */
const LONGEST_TYPED = 254;
const LIMITS = [
  { name: 'find_address', max: 10, seconds: TEN_MINUTES_S, keyOf: clientAddressOf },
  { name: 'find_all', max: 600, seconds: TEN_MINUTES_S, keyOf: () => 'find' },
] as const;
const EMPTY = { number: { value: '' }, email: { value: '' }, errors: [] };

/**
 * Adds `GET /orders` and `POST /orders`, which mail a lost order link to the customer.
 * The response is the same whether the order exists or not.
 */
export function addFindOrderRoutes(app: IRouter, web: WebContext): void {
  app.use(paths.orders, noStore);
  app.get(paths.orders, (_req, res) => {
    const title = contextOf(res).t('findOrder.title');
    return render(res, 'find-order', { title, page: { ...EMPTY, sent: false }, path: paths.orders });
  });
  app.post(paths.orders, limitRate(web, LIMITS), submit);
}

async function submit(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const title = i18n.t('findOrder.title');
  const typedNumber = postedText(req, 'number');
  const number = readOrderNumber(typedNumber, brand.orderPrefix);
  const email = readField(fieldsOf(req)['email'], CONTACT_FIELDS.email);
  if (number !== undefined && 'value' in email) {
    await Promise.all([mailOrderLink(i18n.checkout, { number, email: email.value }), delay(ANSWER_MS)]);
    return render(res, 'find-order', { title, page: { ...EMPTY, sent: true }, path: paths.orders });
  }
  const field = (name: 'number' | 'email', error: string | undefined) => ({
    value: postedText(req, name).slice(0, LONGEST_TYPED),
    error,
  });
  const numberProblem = typedNumber.trim() === '' ? 'numberRequired' : 'numberInvalid';
  const fields = {
    number: field('number', number === undefined ? i18n.t(`findOrder.${numberProblem}`) : undefined),
    email: field('email', 'problem' in email ? problemText(i18n, 'email', email.problem) : undefined),
  };
  const errors = Object.entries(fields).flatMap(([name, { error }]) =>
    error === undefined ? [] : [{ field: name, message: error }],
  );
  return render(res, 'find-order', {
    title,
    hasErrors: true,
    page: { ...fields, errors, sent: false },
    path: paths.orders,
  });
}
