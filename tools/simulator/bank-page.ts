/** The bank's 3D Secure page: approve, refuse, or leave without an answer. */
import express, { type Router } from 'express';
import { answerChallenge, findChallenge, redirectAfterBank } from './answer-challenge.js';
import type { Challenge } from './model.js';
import { hostOf, type MessageModel, type PageContext, render } from './render.js';
import type { SimulatorState } from './state.js';

export function bankPage(state: SimulatorState): Router {
  const router = express.Router();
  /** An unknown id is answered by the app. */
  router.param('id', (_req, res, next, id) => {
    res.locals['challenge'] = findChallenge(state, id);
    next(res.locals['challenge'] === undefined ? 'router' : undefined);
  });
  router.get('/bank/:id', (req, res) => {
    const challenge: Challenge = res.locals['challenge'];
    if (challenge.answer === 'open')
      render(req, res, 'bank', (context) => bankModel(state, challenge, context));
    else render(req, res, 'message', (context) => closedModel(state, challenge, context));
  });
  router.post('/bank/:id', (req, res) => {
    const challenge: Challenge = res.locals['challenge'];
    const { answer, return: method } = Object(req.body);
    if (answer !== 'approve' && answer !== 'refuse')
      return render(req, res, 'message', (context) => unansweredModel(challenge, context));
    if (challenge.answer !== 'open')
      return render(req, res, 'message', (context) => closedModel(state, challenge, context));
    answerChallenge(state, challenge.id, answer === 'approve');
    const address = redirectAfterBank(state, challenge);
    if (method === 'post') render(req, res, 'returning', ({ t }) => ({ title: t.returning, address }));
    else res.redirect(303, address);
  });
  return router;
}

function bankModel(state: SimulatorState, challenge: Challenge, context: PageContext) {
  const { t, localeQuery, amount, time } = context;
  const { amountMinor, returnUrl, card } = purchaseOf(state, challenge);
  return {
    title: t.bankTitle,
    action: `/bank/${challenge.id}${localeQuery}`,
    shop: hostOf(returnUrl) ?? '',
    price: amount(amountMinor),
    card: card === undefined ? '' : `${card.brand} •••• ${card.last4}`,
    until: time(challenge.expiresAt),
  };
}

function purchaseOf(state: SimulatorState, { owner, paymentId }: Challenge) {
  const payment = state.payments.get(owner.id);
  if (payment !== undefined) return payment;
  const session = state.sessions.get(owner.id);
  return {
    amountMinor: session?.request.amount_total ?? 0,
    returnUrl: session?.request.return_url ?? session?.request.success_url,
    card: session?.attempts.find((attempt) => attempt.paymentId === paymentId)?.card,
  };
}

function unansweredModel(challenge: Challenge, { t, localeQuery }: PageContext): MessageModel {
  const link = { href: `/bank/${challenge.id}${localeQuery}`, label: t.toBank };
  return { title: t.unansweredTitle, text: t.unansweredText, tone: 'neutral', link };
}

function closedModel(state: SimulatorState, challenge: Challenge, { t }: PageContext): MessageModel {
  const link = { href: redirectAfterBank(state, challenge), label: t.continue };
  return challenge.answer === 'expired'
    ? { title: t.overdueTitle, text: t.overdueText, tone: 'neutral', link }
    : { title: t.answeredTitle, text: t.answeredText, tone: 'neutral', link };
}
