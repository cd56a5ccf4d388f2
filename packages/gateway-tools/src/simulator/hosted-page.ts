/** The hosted page on which the customer pays a session. */
import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import type { CardSummary, Session } from './model.js';
import { bankUrl, returnRedirect, successRedirect } from './redirects.js';
import { hostOf, type MessageModel, type PageContext, pageContext, render } from './render.js';
import { cancelSession, findSession, paySession, type SessionOutcome } from './sessions.js';
import type { SimulatorState } from './state.js';
import { describeCards, isCardNumber, processorCards, summarizeCard, testCards } from './test-cards.js';
import { hasExpired } from './tokenizer.js';

type FormState = Pick<CardForm, 'errors' | 'values'>;

const emptyForm: FormState = { errors: {}, values: { cardholder_name: '', expiry: '' } };

export function hostedPage(state: SimulatorState): Router {
  const router = express.Router();
  const show = (req: Request, res: Response, session: Session, form = emptyForm) => {
    if (session.status !== 'pending') render(req, res, 'message', (context) => closedModel(session, context));
    else render(req, res, 'checkout', (context) => checkoutModel(state, session, context, form));
  };
  /** An unknown id is answered by the app. */
  router.param('id', (_req, res, next, id) => {
    res.locals['session'] = findSession(state, id);
    next(res.locals['session'] === undefined ? 'router' : undefined);
  });
  router.get('/checkout/:id', (req, res) => show(req, res, res.locals['session']));
  router.post('/checkout/:id', (req, res) => {
    const session: Session = res.locals['session'];
    const context = pageContext(req);
    if (session.status !== 'pending') return res.redirect(303, pageUrl(session, context));
    const { card, errors, values } = parseCardForm(req.body, state.now(), context.t);
    if (Object.keys(errors).length === 0)
      return res.redirect(303, redirectAfter(paySession(state, session, card), session, context));
    res.status(422);
    show(req, res, session, { errors, values });
  });
  router.post('/checkout/:id/cancel', (req, res) => {
    const cancelled = cancelSession(state, res.locals['session']);
    const back = cancelled.status === 'cancelled' ? returnRedirect(cancelled) : undefined;
    res.redirect(303, back ?? pageUrl(cancelled, pageContext(req)));
  });
  router.all('/checkout/:id/back', (_req, res) => {
    const session: Session = res.locals['session'];
    res.redirect(303, session.status === 'completed' ? successRedirect(session) : `/checkout/${session.id}`);
  });
  return router;
}

function pageUrl({ id }: Session, { localeQuery }: PageContext): string {
  return `/checkout/${id}${localeQuery}`;
}

function redirectAfter(outcome: SessionOutcome, session: Session, context: PageContext): string {
  const { localeQuery } = context;
  if (outcome.kind === 'paid') return outcome.redirectTo;
  if (outcome.kind === 'challenge') return `${outcome.redirectTo}${localeQuery}`;
  const page = pageUrl(session, context);
  return outcome.kind === 'error' ? `${page}${localeQuery === '' ? '?' : '&'}failed=1` : page;
}

function checkoutModel(state: SimulatorState, session: Session, context: PageContext, form: FormState) {
  const { localeQuery, t, translate, amount, time } = context;
  const { request, expiresAt } = session;
  return {
    title: t.payTitle,
    brandColor: request.ui_config?.branding?.brand_color,
    action: pageUrl(session, context),
    cancelAction: `/checkout/${session.id}/cancel${localeQuery}`,
    // The interface has no name of the merchant; the host of the return address is the closest.
    shop: hostOf(request.return_url ?? request.success_url),
    reference: request.external_id,
    items: request.line_items.map(({ name, quantity, unit_price }) => ({
      name,
      quantity,
      total: amount(quantity * unit_price),
    })),
    total: amount(request.amount_total),
    expires: {
      iso: new Date(expiresAt * 1000).toISOString(),
      text: time(expiresAt * 1000),
      secondsLeft: Math.max(0, Math.ceil(expiresAt - state.now() / 1000)),
    },
    notice: Object.keys(form.errors).length > 0 ? undefined : noticeModel(state, session, context),
    ...form,
    cards: describeCards(testCards, translate),
    moreCards: describeCards(processorCards, translate),
  };
}

/** The outcome of the last attempt, or a link to the bank's open challenge. */
function noticeModel(state: SimulatorState, session: Session, { t, query }: PageContext): MessageModel | undefined {
  const failed = (text: string): MessageModel => ({ tone: 'bad', title: t.declinedTitle, text });
  // A processing error leaves no record, so the redirect carries it.
  if (query['failed'] === '1') return failed(t.processingError);
  const last = session.attempts.at(-1);
  if (last?.status === 'Declined') {
    const texts: Readonly<Record<string, string>> = { CH01: t.declinedCH01, AH04: t.declinedAH04 };
    return failed(texts[last.decline?.code ?? ''] ?? t.declinedBH01);
  }
  if (last?.status === 'Expired') return failed(t.attemptExpired);
  if (last?.challenge === undefined) return undefined;
  const link = { href: bankUrl(state, last.challenge), label: t.toBank };
  return { tone: 'neutral', title: t.waitingTitle, text: t.waitingText, link };
}

function closedModel(session: Session, { t }: PageContext): MessageModel {
  const paid = session.status === 'completed';
  const href = paid ? successRedirect(session) : returnRedirect(session);
  const link = href === undefined ? undefined : { href, label: t.backToShop };
  const texts: Readonly<Record<string, readonly [string, string]>> = {
    completed: [t.completedTitle, t.completedText],
    expired: [t.expiredTitle, t.expiredText],
    cancelled: [t.cancelledTitle, t.cancelledText],
  };
  const [title, text] = texts[session.status] ?? [t.closedTitle, t.closedText];
  return { title, text, tone: paid ? 'good' : 'neutral', link };
}

interface CardForm {
  readonly card: CardSummary;
  /** Field → message. */
  readonly errors: Readonly<Record<string, string>>;
  /** Shown again in the form; never the number or the CVV. */
  readonly values: { readonly cardholder_name: string; readonly expiry: string };
}

const text = z.string().catch('');
const cardForm = z.object({
  test_card: text,
  card_number: text,
  cardholder_name: text,
  expiry: text,
  cvv: text,
});

/** Returns the card and the errors of the form. A chosen test card needs no other field. */
function parseCardForm(body: unknown, nowMs: number, t: PageContext['t']): CardForm {
  const { test_card, card_number, cardholder_name, expiry, cvv } = cardForm.parse(body ?? {});
  const values = { cardholder_name: cardholder_name.slice(0, 255), expiry };
  if (isCardNumber(test_card)) return { card: summarizeCard(test_card), errors: {}, values };
  const number = card_number.replace(/[\s-]/g, '');
  const errors: Record<string, string> = {};
  if (!isCardNumber(number)) errors['card_number'] = t.cardNumberWrong;
  if (cardholder_name.trim() === '' || cardholder_name.length > 255) errors['cardholder_name'] = t.cardholderNameWrong;
  if (!isFuture(expiry, nowMs)) errors['expiry'] = t.expiryWrong;
  if (!/^[0-9]{3,4}$/.test(cvv.trim())) errors['cvv'] = t.cvvWrong;
  return { card: summarizeCard(number), errors, values };
}

/** Accepts MM/YY with any or no separator, years with four digits, and YYYY-MM, which HTML defines for autofill. */
function isFuture(expiry: string, nowMs: number): boolean {
  const typed = expiry.normalize('NFKC').trim();
  const monthFirst = typed.replace(/^(\d{4})-(\d{2})$/, '$2/$1');
  const [, expiration_month, expiration_year] = /^(0?[1-9]|1[0-2])\D{0,3}((?:20)?[0-9]{2})$/.exec(monthFirst) ?? [];
  if (expiration_month === undefined || expiration_year === undefined) return false;
  return !hasExpired({ expiration_month, expiration_year }, nowMs);
}
