/** The hosted page on which the customer pays a session. */
import express, { type Request, type Response, type Router } from 'express';
import { type CardForm, readCardForm } from './card-form.js';
import { bankAddress } from './challenges.js';
import { paySession, type SessionOutcome } from './hosted-payment.js';
import type { Session } from './model.js';
import { type Frame, frameOf, hostOf, type Message, moment, price, type Render } from './pages.js';
import { cancelSession, findSession, returnAddress, successAddress } from './sessions.js';
import { processorCards, shownCards, testCards } from './test-cards.js';
import type { World } from './world.js';

interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly session: Session;
  readonly frame: Frame;
}

type FormState = Pick<CardForm, 'errors' | 'values'>;

const emptyForm: FormState = { errors: {}, values: { cardholder_name: '', expiry: '' } };

export function hostedPage(world: World, render: Render): Router {
  const router = express.Router();
  const visit = (act: (visit: Visit) => void) => (req: Request, res: Response, next: () => void) => {
    const session = findSession(world, String(req.params['id']));
    if (session === undefined) next();
    else act({ req, res, session, frame: frameOf(req) });
  };
  const show = (seen: Visit, form = emptyForm) => {
    const { res, session, frame } = seen;
    if (session.status !== 'pending') res.send(render('message', frame, endOf(session, frame)));
    else res.send(render('checkout', frame, checkoutModel(world, seen, form)));
  };
  const goBack = visit(({ res, session }) => {
    res.redirect(303, session.status === 'completed' ? successAddress(session) : `/checkout/${session.id}`);
  });
  router.get(
    '/checkout/:id',
    visit((seen) => show(seen)),
  );
  router.post(
    '/checkout/:id',
    visit((seen) => pay(world, seen, show)),
  );
  router.post(
    '/checkout/:id/cancel',
    visit((seen) => cancel(world, seen)),
  );
  router.get('/checkout/:id/back', goBack);
  router.post('/checkout/:id/back', goBack);
  return router;
}

function pay(world: World, seen: Visit, show: (seen: Visit, form: FormState) => void): void {
  const { req, res, session, frame } = seen;
  if (session.status !== 'pending') {
    res.redirect(303, `/checkout/${session.id}${frame.langQuery}`);
    return;
  }
  const { card, errors, values } = readCardForm(req.body, world.now(), frame.w);
  if (Object.keys(errors).length > 0) {
    res.status(422);
    show(seen, { errors, values });
    return;
  }
  res.redirect(303, addressAfter(paySession(world, session.id, card), session, frame));
}

function cancel(world: World, { res, session, frame }: Visit): void {
  const cancelled = cancelSession(world, session);
  const page = `/checkout/${session.id}${frame.langQuery}`;
  res.redirect(303, cancelled.status === 'cancelled' ? (returnAddress(cancelled) ?? page) : page);
}

function addressAfter(outcome: SessionOutcome | undefined, { id }: Session, { langQuery }: Frame): string {
  const page = `/checkout/${id}${langQuery}`;
  if (outcome?.kind === 'paid') return outcome.redirectTo;
  if (outcome?.kind === 'challenge') return `${outcome.url}${langQuery}`;
  return outcome?.kind === 'error' ? `${page}${langQuery === '' ? '?' : '&'}failed=1` : page;
}

function checkoutModel(world: World, seen: Visit, { errors, values }: FormState) {
  const { session, frame } = seen;
  const { lang, w, langQuery } = frame;
  const { request, expiresAt } = session;
  return {
    title: w.payTitle,
    action: `/checkout/${session.id}${langQuery}`,
    cancelAction: `/checkout/${session.id}/cancel${langQuery}`,
    // The interface has no name of the merchant; the host of the return address is the closest.
    shop: hostOf(request.return_url ?? request.success_url),
    reference: request.external_id,
    items: request.line_items.map(({ name, quantity, unit_price }) => ({
      name,
      quantity,
      total: price(quantity * unit_price, lang),
    })),
    total: price(request.amount_total, lang),
    expires: {
      iso: new Date(expiresAt * 1000).toISOString(),
      text: moment(expiresAt * 1000, lang),
      secondsLeft: Math.max(0, Math.ceil(expiresAt - world.now() / 1000)),
    },
    notice: Object.keys(errors).length > 0 ? undefined : noticeOf(world, seen),
    errors,
    values,
    cards: shownCards(testCards, lang),
    moreCards: shownCards(processorCards, lang),
  };
}

/** The outcome of the last attempt, or the bank's open challenge. */
function noticeOf(world: World, { req, session, frame: { w } }: Visit): Message | undefined {
  const failed = (text: string): Message => ({ tone: 'bad', title: w.declinedTitle, text });
  // A processing error leaves no record, so the redirect carries it.
  if (req.query['failed'] === '1') return failed(w.processingError);
  const last = session.attempts.at(-1);
  if (last?.status === 'Declined') {
    const texts = { CH01: w.declinedCH01, AH04: w.declinedAH04 } as const;
    return failed(texts[last.decline?.code as keyof typeof texts] ?? w.declinedBH01);
  }
  if (last?.status === 'Expired') return failed(w.attemptExpired);
  if (last?.challengeId === undefined) return undefined;
  const link = { href: bankAddress(world, last.challengeId), label: w.toBank };
  return { tone: 'calm', title: w.waitingTitle, text: w.waitingText, link };
}

function endOf(session: Session, { w }: Frame): Message {
  const paid = session.status === 'completed';
  const href = paid ? successAddress(session) : returnAddress(session);
  const link = href === undefined ? undefined : { href, label: w.backToShop };
  if (paid) return { title: w.completedTitle, text: w.completedText, tone: 'good', link };
  const texts = {
    expired: { title: w.expiredTitle, text: w.expiredText },
    cancelled: { title: w.cancelledTitle, text: w.cancelledText },
  } as const;
  const closed = { title: w.closedTitle, text: w.closedText };
  return { ...(texts[session.status as keyof typeof texts] ?? closed), tone: 'calm', link };
}
