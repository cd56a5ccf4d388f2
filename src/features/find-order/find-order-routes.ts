import { setTimeout as delay } from 'node:timers/promises';
import { readOrderNumber } from '@tianguis/payments/rules';
import type { IRouter, Request, Response } from 'express';
import type { ClientLimiter } from '../../db/client-limits.js';
import { brand } from '../../locales/brand.js';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { readField } from '../../shop/rules/form-field.js';
import { clientOf } from '../../web/client-address.js';
import { problemText } from '../../web/contact-fields.js';
import type { WebContext } from '../../web/context.js';
import { emailQuestion } from '../../web/email-question.js';
import { fieldsOf, postedText } from '../../web/form-body.js';
import { limiterOf, limitRate, tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { noStore } from '../../web/middleware/security-headers.js';
import { paths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findForm, forgetForm, isAnswer, redirectToForm, storedText } from '../../web/typed-form.js';
import { type AskedOrders, findOrderLinkMail, mailOrderLink } from './mail-order-link.js';

/** Longer than the lookup of an order, so that the response time does not reveal whether the order exists. */
const ANSWER_MS = 250;
const TEN_MINUTES_S = 600;
const ADDRESS_LIMIT = { name: 'find_address', max: 10, seconds: TEN_MINUTES_S, keyOf: clientOf } as const;
/** Mails to all customers together. */
const MAIL_LIMIT = { name: 'find_all', max: 600, seconds: TEN_MINUTES_S } as const;
/** Mails to one mailbox for its unpaid orders, and for each paid order. Above it none is sent, and the page does not say so. */
const MAILBOX_LIMIT = { name: 'find_mailbox', max: 5, seconds: 86_400 } as const;
/** Repeated requests for one mail count once for all customers together. */
const REPEAT_LIMIT = { name: 'find_order', max: 1, seconds: TEN_MINUTES_S } as const;
type Limiters = Readonly<Record<'mails' | 'mailboxes' | 'repeats', ClientLimiter>>;
const EMPTY: FindAnswer = { email: { value: '' }, number: { value: '' } };

/**
 * Adds `GET /orders` and `POST /orders`, which mail the link of a lost order, or without its number those of all orders of the
 * address. The response is the same whether they exist or not, with a number as long as the limit of mails is not reached.
 */
export function addFindOrderRoutes(app: IRouter, web: WebContext): void {
  app.use(paths.orders, noStore);
  app.get(paths.orders, sendPage);
  const limiters = {
    mails: limiterOf(web, MAIL_LIMIT),
    mailboxes: limiterOf(web, MAILBOX_LIMIT),
    repeats: limiterOf(web, REPEAT_LIMIT),
  };
  app.post(paths.orders, limitRate(web, [ADDRESS_LIMIT]), (req, res) => submit(req, res, limiters));
}

async function submit(req: Request, res: Response, limiters: Limiters): Promise<void> {
  const i18n = contextOf(res);
  const { t } = i18n;
  const typedNumber = postedText(req, 'number');
  const number = readOrderNumber(typedNumber, brand.orderPrefix);
  const isNumberWrong = number === undefined && typedNumber.trim() !== '';
  const email = readField(fieldsOf(req)['email'], CONTACT_FIELDS.email);
  if (!isNumberWrong && 'value' in email) {
    await Promise.all([mailLink(res, { number, email: email.value }, limiters), delay(ANSWER_MS)]);
    await forgetForm(res, paths.orders);
    return res.redirect(303, `${paths.orders}?sent=1`);
  }
  const field = (name: 'number' | 'email', error: string | undefined) => ({
    value: storedText(postedText(req, name)),
    error,
  });
  const answer: FindAnswer = {
    email: field('email', 'problem' in email ? problemText(i18n, 'email', email.problem) : undefined),
    number: field('number', isNumberWrong ? t('findOrder.numberInvalid') : undefined),
  };
  return redirectToForm(res, paths.orders, answer);
}

/** In the order of the form. */
interface FindAnswer {
  readonly email: TypedField;
  readonly number: TypedField;
}

interface TypedField {
  readonly value: string;
  readonly error?: string | undefined;
}

async function sendPage(req: Request, res: Response): Promise<void> {
  const { t } = contextOf(res);
  const answer = isAnswer(req) ? await findForm<FindAnswer>(res, paths.orders) : undefined;
  const errors = Object.entries(answer ?? {}).flatMap(([field, { error }]: [string, TypedField]) =>
    error === undefined ? [] : [{ field, message: error }],
  );
  if (isAnswer(req) && !answer) errors.push({ field: 'email', message: t('notices.formLost') });
  return render(res, 'find-order/find-order', {
    title: t('findOrder.title'),
    hasErrors: errors.length > 0,
    page: {
      ...EMPTY,
      ...answer,
      question: emailQuestion(answer?.email.value ?? ''),
      errors,
      sent: req.query['sent'] === '1',
    },
    path: paths.orders,
  });
}

/** Throws `too_many_attempts` if the shop may send no further mail. */
async function mailLink(res: Response, asked: AskedOrders, { mails, mailboxes, repeats }: Limiters): Promise<void> {
  const { checkout } = contextOf(res);
  // An address alone is easy to guess, so the refusal must not reveal whether it has orders.
  const wait = asked.number === undefined ? await mails.peek('find') : undefined;
  if (wait !== undefined) throw tooManyAttempts(res, MAIL_LIMIT.name, wait);
  const found = await findOrderLinkMail(checkout, asked);
  if (!found || (await repeats.count(found.mail.key)) !== undefined) return;
  const { mail, countedFor } = found;
  if ((await mailboxes.count(countedFor)) !== undefined) return checkout.observer.limitReached('find_mailbox');
  const seconds = await mails.count('find');
  if (seconds === undefined) return mailOrderLink(checkout, mail);
  // The mail was not queued, so the next request is no repeated one.
  await repeats.reset(mail.key);
  throw tooManyAttempts(res, MAIL_LIMIT.name, seconds);
}
