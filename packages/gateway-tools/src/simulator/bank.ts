/** The bank's 3D Secure page: approve, refuse, or leave without an answer. */
import express, { type Router } from 'express';
import type { Attempt, CardSummary, Challenge } from './model.js';
import { answerPayment, findPayment } from './payments.js';
import { bankReturnUrl } from './redirects.js';
import { hostOf, type MessageModel, type PageContext, render } from './render.js';
import { answerSession, findSession } from './sessions.js';
import type { SimulatorState } from './state.js';

/** A purchase with its challenge. */
export interface Purchase {
  readonly challenge: Challenge;
  readonly state: 'open' | 'expired' | 'answered';
  readonly amountMinor: number;
  readonly returnUrl: string | undefined;
  readonly card: CardSummary;
  /** The address after the bank's page: the shop, or the hosted page. */
  readonly redirectTo: string;
  /** Applies the bank's answer. Answers to a purchase that is not open change nothing. */
  answer(approved: boolean): void;
}

/** Returns the purchase with this challenge; an overdue one expires now. */
export function findPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  return cardPurchase(state, challengeId) ?? hostedPurchase(state, challengeId);
}

function cardPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  const id = state.payments.all().find(({ challenge }) => challenge?.id === challengeId)?.id ?? '';
  const payment = findPayment(state, id);
  if (payment?.challenge === undefined) return undefined;
  const { challenge, status, amountMinor, returnUrl, card, paymentId } = payment;
  return {
    challenge,
    state: stateOf(status),
    amountMinor,
    returnUrl,
    card,
    redirectTo: bankReturnUrl(state, returnUrl, paymentId),
    answer: (approved) => answerPayment(state, id, approved),
  };
}

function hostedPurchase(state: SimulatorState, challengeId: string): Purchase | undefined {
  const hasChallenge = ({ challenge }: Attempt) => challenge?.id === challengeId;
  const id = state.sessions.all().find(({ attempts }) => attempts.some(hasChallenge))?.id ?? '';
  const session = findSession(state, id);
  const attempt = session?.attempts.find(hasChallenge);
  if (session === undefined || attempt?.challenge === undefined) return undefined;
  const { return_url, success_url, amount_total } = session.request;
  return {
    challenge: attempt.challenge,
    state: stateOf(session.status === 'pending' ? attempt.status : session.status),
    amountMinor: amount_total,
    returnUrl: return_url ?? success_url,
    card: attempt.card,
    redirectTo: `${state.url}/checkout/${id}/back`,
    answer: (approved) => answerSession(state, id, attempt.paymentId, approved),
  };
}

function stateOf(status: string): Purchase['state'] {
  if (status.toLowerCase() === 'pending') return 'open';
  return status.toLowerCase() === 'expired' ? 'expired' : 'answered';
}

/** The routes of the bank's page. */
export function bankPage(state: SimulatorState): Router {
  const router = express.Router();
  /** An unknown id is answered by the app. */
  router.param('id', (_req, res, next, id) => {
    res.locals['purchase'] = findPurchase(state, id);
    next(res.locals['purchase'] === undefined ? 'router' : undefined);
  });
  router.get('/bank/:id', (req, res) => {
    const purchase: Purchase = res.locals['purchase'];
    if (purchase.state === 'open') render(req, res, 'bank', (context) => bankModel(purchase, context));
    else render(req, res, 'message', (context) => closedModel(purchase, context));
  });
  router.post('/bank/:id', (req, res) => {
    const purchase: Purchase = res.locals['purchase'];
    const { answer, return: method } = Object(req.body);
    if (answer !== 'approve' && answer !== 'refuse')
      return render(req, res, 'message', (context) => unansweredModel(purchase, context));
    if (purchase.state !== 'open') return render(req, res, 'message', (context) => closedModel(purchase, context));
    purchase.answer(answer === 'approve');
    const address = purchase.redirectTo;
    if (method === 'post') render(req, res, 'returning', ({ t }) => ({ title: t.returning, address }));
    else res.redirect(303, address);
  });
  return router;
}

function bankModel({ challenge, amountMinor, returnUrl, card }: Purchase, context: PageContext) {
  const { t, localeQuery, amount, time } = context;
  return {
    title: t.bankTitle,
    action: `/bank/${challenge.id}${localeQuery}`,
    shop: hostOf(returnUrl) ?? '',
    price: amount(amountMinor),
    card: `${card.brand} •••• ${card.last4}`,
    until: time(challenge.expiresAt),
  };
}

function unansweredModel({ challenge }: Purchase, { t, localeQuery }: PageContext): MessageModel {
  const link = { href: `/bank/${challenge.id}${localeQuery}`, label: t.toBank };
  return { title: t.unansweredTitle, text: t.unansweredText, tone: 'neutral', link };
}

function closedModel({ state, redirectTo }: Purchase, { t }: PageContext): MessageModel {
  const link = { href: redirectTo, label: t.continue };
  return state === 'expired'
    ? { title: t.overdueTitle, text: t.overdueText, tone: 'neutral', link }
    : { title: t.answeredTitle, text: t.answeredText, tone: 'neutral', link };
}
