import { setTimeout as delay } from 'node:timers/promises';
import { type Request, type Response, Router } from 'express';
import { mailOrderLink } from '../../checkout/mail-order-link.js';
import { readEmail } from '../../core/contact.js';
import { readOrderNumber } from '../../core/ids.js';
import { addressOf, limitTries } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import { contextOf } from '../request-context.js';
import type { WebServices } from '../services.js';
import type { FindOrderPage } from '../view-models.js';

const PATH = '/orders';
/** Longer than the work takes, so that the time of the answer tells nobody whether there is such an order. */
const ANSWER_MS = 250;
const TEN_MINUTES_S = 600;
const LIMITS = [
  { name: 'find_address', most: 10, seconds: TEN_MINUTES_S, keyOf: addressOf },
  { name: 'find_all', most: 600, seconds: TEN_MINUTES_S, keyOf: () => 'find' },
] as const;
const EMPTY: FindOrderPage = { number: { value: '' }, email: { value: '' }, errors: [], sent: false };

/** The link to an order for who has lost it, by mail alone: `GET /orders` and `POST /orders`. */
export function findOrderRoutes(web: WebServices): Router {
  const router = Router();
  router.use(PATH, noStore);
  router.get(PATH, (_req, res) => sendPage(web, res, EMPTY));
  const limit = limitTries(web, web.settings.attemptLimits ? LIMITS : []);
  router.post(PATH, limit, (req, res) => answer(web, req, res));
  return router;
}

async function answer(web: WebServices, req: Request, res: Response): Promise<void> {
  const { number: typedNumber, email: typedEmail } = req.body as Readonly<Record<string, unknown>>;
  const { t } = contextOf(res);
  const number = readOrderNumber(textOf(typedNumber));
  const email = readEmail(typedEmail);
  if (number === undefined || 'problem' in email) {
    const numberError = number === undefined ? t('findOrder.numberInvalid') : undefined;
    const emailError = 'problem' in email ? t(`fields.email.${email.problem}`) : undefined;
    return sendPage(web, res, {
      number: { value: textOf(typedNumber), ...(numberError !== undefined && { error: numberError }) },
      email: { value: textOf(typedEmail), ...(emailError !== undefined && { error: emailError }) },
      errors: [
        ...(numberError === undefined ? [] : [{ field: 'number', message: numberError }]),
        ...(emailError === undefined ? [] : [{ field: 'email', message: emailError }]),
      ],
      sent: false,
    });
  }
  await Promise.all([mailOrderLink(web.checkout, { number, email: email.value }), delay(ANSWER_MS)]);
  return sendPage(web, res, { ...EMPTY, sent: true });
}

function sendPage(web: WebServices, res: Response, page: FindOrderPage): Promise<void> {
  const { t } = contextOf(res);
  const wrong = page.errors.length > 0;
  const title = wrong ? t('titles.withErrors', { title: t('findOrder.title') }) : t('findOrder.title');
  return web.pages.send(res, { view: 'find-order', title, page, status: wrong ? 422 : 200, path: PATH });
}

/** As it was typed; doubled fields arrive as lists and count as empty. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 254) : '';
}
