import { setTimeout as delay } from 'node:timers/promises';
import { readOrderNumber } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { brand } from '../../locales/brand.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import { clientOf } from '../../web/client-address.js';
import { contactField } from '../../web/contact-fields.js';
import { emailQuestion } from '../../web/email-question.js';
import { type FormFields, readForm } from '../../web/form.js';
import { fieldModels, findRefused, redirectToRefused, renderForm } from '../../web/form-page.js';
import { limiterOf, tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { paths } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { forgetForm } from '../../web/typed-form.js';
import type { WebContext } from '../../web/web-context.js';
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

/**
 * The routes `GET /orders` and `POST /orders`, which mail the link of a lost order, or without its number those of all orders of the
 * address. The response is the same whether they exist or not, with a number as long as the limit of mails is not reached.
 */
export function findOrderRoutes(web: WebContext): readonly Route[] {
  const limiters = {
    mails: limiterOf(web, MAIL_LIMIT),
    mailboxes: limiterOf(web, MAILBOX_LIMIT),
    repeats: limiterOf(web, REPEAT_LIMIT),
  };
  return [
    { get: paths.orders, handler: sendPage },
    { post: paths.orders, limit: ADDRESS_LIMIT, handler: (req, res) => submit(req, res, limiters) },
  ];
}

/** The e-mail address of the customer, and the number of one order. */
const FIND_FIELDS = {
  email: { ...contactField('email'), label: 'findOrder.email', autocomplete: 'email', isRequired: true },
  number: {
    label: (t) => t('form.optional', { label: t('findOrder.number') }),
    hint: 'findOrder.numberHint',
    autocapitalize: 'characters',
    parse: (typed) => (typed === '' ? '' : readOrderNumber(typed, brand.orderPrefix)),
    problem: 'findOrder.numberInvalid',
  },
} as const satisfies FormFields;

async function submit(_req: Request, res: Response, limiters: Limiters): Promise<void> {
  const form = readForm(res, FIND_FIELDS);
  if (form.refused) return redirectToRefused(res, paths.orders, form.refused);
  const { email, number } = form.values;
  await Promise.all([mailLink(res, { number: number || undefined, email }, limiters), delay(ANSWER_MS)]);
  await forgetForm(res, paths.orders);
  res.redirect(303, `${paths.orders}?sent=1`);
}

async function sendPage(req: Request, res: Response): Promise<void> {
  const { t } = contextOf(res);
  const refused = await findRefused(res, paths.orders, 'email');
  const fields = fieldModels(t, FIND_FIELDS, refused).map((field) =>
    field.name === 'email' ? { ...field, question: emailQuestion(field.value) } : field,
  );
  const page = { fields, sent: req.query['sent'] === '1' };
  await renderForm(res, 'find-order/views/find-order', {
    title: t('findOrder.title'),
    path: paths.orders,
    refused,
    page,
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
