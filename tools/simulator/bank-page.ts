/** The bank's 3D Secure page: approve, refuse, or leave without an answer. */
import express, { type Router } from 'express';
import { findPurchase, type Purchase } from './bank.js';
import { hostOf, type MessageModel, type PageContext, render } from './render.js';
import type { SimulatorState } from './state.js';

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
    if (purchase.state !== 'open')
      return render(req, res, 'message', (context) => closedModel(purchase, context));
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
