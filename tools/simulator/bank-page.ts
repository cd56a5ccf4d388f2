/** The bank's 3D Secure page: approve, refuse, or leave without an answer. */
import express, { type Request, type Response, type Router } from 'express';
import { addressAfterBank, answerChallenge, findChallenge } from './bank.js';
import type { Challenge } from './model.js';
import { type Frame, frameOf, hostOf, type Message, moment, price, type Render } from './pages.js';
import type { World } from './world.js';

interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly frame: Frame;
  readonly challenge: Challenge;
}

export function bankPage(world: World, render: Render): Router {
  const router = express.Router();
  const visit = (act: (visit: Visit) => void) => (req: Request, res: Response, next: () => void) => {
    const challenge = findChallenge(world, String(req.params['id']));
    if (challenge === undefined) next();
    else act({ req, res, challenge, frame: frameOf(req) });
  };
  router.get(
    '/bank/:id',
    visit(({ res, frame, challenge }) => {
      if (challenge.answer !== 'open') res.send(render('message', frame, closed(world, challenge, frame)));
      else res.send(render('bank', frame, bankModel(world, challenge, frame)));
    }),
  );
  router.post(
    '/bank/:id',
    visit((seen) => answer(world, render, seen)),
  );
  return router;
}

function answer(world: World, render: Render, { req, res, frame, challenge }: Visit): void {
  const { answer: word, return: way } = Object(req.body);
  if (word !== 'approve' && word !== 'refuse') {
    res.send(render('message', frame, walkedAway(challenge, frame)));
    return;
  }
  if (challenge.answer !== 'open') {
    res.send(render('message', frame, closed(world, challenge, frame)));
    return;
  }
  answerChallenge(world, challenge.id, word === 'approve');
  const address = addressAfterBank(world, challenge);
  if (way === 'post') res.send(render('returning', frame, { title: frame.w.returning, address }));
  else res.redirect(303, address);
}

function bankModel(world: World, challenge: Challenge, { w, lang, langQuery }: Frame) {
  const { amountMinor, returnUrl, last4, brand } = purchaseOf(world, challenge);
  return {
    title: w.bankTitle,
    action: `/bank/${challenge.id}${langQuery}`,
    shop: hostOf(returnUrl) ?? '',
    amount: price(amountMinor, lang),
    card: `${brand} •••• ${last4}`,
    until: moment(challenge.expiresAt, lang),
  };
}

function purchaseOf(world: World, { owner, paymentId }: Challenge) {
  const payment = world.payments.get(owner.id);
  if (payment !== undefined) return { ...payment, ...payment.card };
  const session = world.sessions.get(owner.id);
  const card = session?.attempts.find((attempt) => attempt.paymentId === paymentId)?.card;
  return {
    amountMinor: session?.request.amount_total ?? 0,
    returnUrl: session?.request.return_url ?? session?.request.success_url ?? '',
    last4: card?.last4 ?? '',
    brand: card?.brand ?? '',
  };
}

function walkedAway(challenge: Challenge, { w, langQuery }: Frame): Message {
  const link = { href: `/bank/${challenge.id}${langQuery}`, label: w.backToBank };
  return { title: w.awayTitle, text: w.awayText, tone: 'calm', link };
}

function closed(world: World, challenge: Challenge, { w }: Frame): Message {
  const link = { href: addressAfterBank(world, challenge), label: w.continue };
  const late = challenge.answer === 'expired';
  return {
    title: late ? w.lateTitle : w.answeredTitle,
    text: late ? w.lateText : w.answeredText,
    tone: 'calm',
    link,
  };
}
