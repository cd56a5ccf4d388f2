/** The hosted page on which the customer pays a session. */
import express, { type Request, type Response, type Router } from 'express';
import { type CardForm, parseCardForm } from './card-form.js';
import { bankUrl } from './challenges.js';
import type { Session } from './model.js';
import { paySession, type SessionOutcome } from './pay-session.js';
import { hostOf, type MessageModel, type PageContext, pageContext, type Render } from './render.js';
import { cancelSession, findSession, returnRedirect, successRedirect } from './sessions.js';
import type { SimulatorState } from './state.js';
import { describeCards, processorCards, testCards } from './test-cards.js';

interface SessionRequest {
  readonly req: Request;
  readonly res: Response;
  readonly session: Session;
}

type FormState = Pick<CardForm, 'errors' | 'values'>;

const emptyForm: FormState = { errors: {}, values: { cardholder_name: '', expiry: '' } };

export function hostedPage(state: SimulatorState, render: Render): Router {
  const router = express.Router();
  const withSession =
    (handle: (request: SessionRequest) => void) => (req: Request, res: Response, next: () => void) => {
      const session = findSession(state, String(req.params['id']));
      if (session === undefined) next();
      else handle({ req, res, session });
    };
  const show = ({ req, res, session }: SessionRequest, form = emptyForm) => {
    if (session.status !== 'pending') render(req, res, 'message', (context) => closedModel(session, context));
    else render(req, res, 'checkout', (context) => checkoutModel(state, { req, session, context, form }));
  };
  const pay = (request: SessionRequest) => payByForm(state, request, show);
  const cancel = ({ req, res, session }: SessionRequest) => {
    const cancelled = cancelSession(state, session);
    const back = cancelled.status === 'cancelled' ? returnRedirect(cancelled) : undefined;
    res.redirect(303, back ?? pageUrl(session, pageContext(req)));
  };
  const back = withSession(({ res, session }) => {
    res.redirect(303, session.status === 'completed' ? successRedirect(session) : `/checkout/${session.id}`);
  });
  router.get(
    '/checkout/:id',
    withSession((request) => show(request)),
  );
  router.post('/checkout/:id', withSession(pay));
  router.post('/checkout/:id/cancel', withSession(cancel));
  router.route('/checkout/:id/back').get(back).post(back);
  return router;
}

function payByForm(
  state: SimulatorState,
  request: SessionRequest,
  show: (request: SessionRequest, form: FormState) => void,
): void {
  const { req, res, session } = request;
  const context = pageContext(req);
  if (session.status !== 'pending') {
    res.redirect(303, pageUrl(session, context));
    return;
  }
  const { card, errors, values } = parseCardForm(req.body, state.now(), context.t);
  if (Object.keys(errors).length > 0) {
    res.status(422);
    show(request, { errors, values });
    return;
  }
  res.redirect(303, redirectAfter(paySession(state, session, card), session, context));
}

function pageUrl({ id }: Session, { localeQuery }: PageContext): string {
  return `/checkout/${id}${localeQuery}`;
}

function redirectAfter(outcome: SessionOutcome, session: Session, context: PageContext): string {
  const { localeQuery } = context;
  if (outcome.kind === 'paid') return outcome.redirectTo;
  if (outcome.kind === 'challenge') return `${outcome.url}${localeQuery}`;
  const page = pageUrl(session, context);
  return outcome.kind === 'error' ? `${page}${localeQuery === '' ? '?' : '&'}failed=1` : page;
}

interface CheckoutInput {
  readonly req: Request;
  readonly session: Session;
  readonly context: PageContext;
  readonly form: FormState;
}

function checkoutModel(state: SimulatorState, { req, session, context, form }: CheckoutInput) {
  const { locale, localeQuery, t, amount, time } = context;
  const { request, expiresAt } = session;
  return {
    title: t.payTitle,
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
    notice: Object.keys(form.errors).length > 0 ? undefined : noticeModel(state, { req, session, t }),
    ...form,
    cards: describeCards(testCards, locale),
    moreCards: describeCards(processorCards, locale),
  };
}

type NoticeInput = Pick<CheckoutInput, 'req' | 'session'> & Pick<PageContext, 't'>;

/** The outcome of the last attempt, or a link to the bank's open challenge. */
function noticeModel(state: SimulatorState, { req, session, t }: NoticeInput): MessageModel | undefined {
  const failed = (text: string): MessageModel => ({ tone: 'bad', title: t.declinedTitle, text });
  // A processing error leaves no record, so the redirect carries it.
  if (req.query['failed'] === '1') return failed(t.processingError);
  const last = session.attempts.at(-1);
  if (last?.status === 'Declined') {
    const texts: Readonly<Record<string, string>> = { CH01: t.declinedCH01, AH04: t.declinedAH04 };
    return failed(texts[last.decline?.code ?? ''] ?? t.declinedBH01);
  }
  if (last?.status === 'Expired') return failed(t.attemptExpired);
  if (last?.challengeId === undefined) return undefined;
  const link = { href: bankUrl(state, last.challengeId), label: t.toBank };
  return { tone: 'neutral', title: t.waitingTitle, text: t.waitingText, link };
}

function closedModel(session: Session, { t }: PageContext): MessageModel {
  const paid = session.status === 'completed';
  const href = paid ? successRedirect(session) : returnRedirect(session);
  const link = href === undefined ? undefined : { href, label: t.backToShop };
  switch (session.status) {
    case 'completed':
      return { title: t.completedTitle, text: t.completedText, tone: 'good', link };
    case 'expired':
      return { title: t.expiredTitle, text: t.expiredText, tone: 'neutral', link };
    case 'cancelled':
      return { title: t.cancelledTitle, text: t.cancelledText, tone: 'neutral', link };
    default:
      return { title: t.closedTitle, text: t.closedText, tone: 'neutral', link };
  }
}
