/** The page on which the shopper pays a session. */
import express, { type Request, type Response, type Router } from 'express';
import { readCardForm } from './card-form.js';
import { type CheckoutState, checkoutModel } from './checkout-model.js';
import { type Frame, frameOf } from './frame.js';
import { paySession, type SessionOutcome } from './hosted-payment.js';
import type { Session } from './model.js';
import { cancelSession, findSession, returnAddress, successAddress } from './sessions.js';
import type { MessageModel, Render } from './views.js';
import type { World } from './world.js';

interface Visit {
  readonly req: Request;
  readonly res: Response;
  readonly session: Session;
  readonly frame: Frame;
}

const untouched: CheckoutState = { errors: {}, values: { cardholder_name: '', expiry: '' }, failed: false };

export function hostedPage(world: World, render: Render): Router {
  const router = express.Router();
  const visit = (act: (visit: Visit) => void) => (req: Request, res: Response, next: () => void) => {
    const session = findSession(world, String(req.params['id']));
    if (session === undefined) next();
    else act({ req, res, session, frame: frameOf(req) });
  };
  const show = (seen: Visit, state = untouched) => {
    const { res, session, frame } = seen;
    if (session.status !== 'pending') res.send(render('message', frame, endOf(session, frame)));
    else res.send(render('checkout', frame, checkoutModel(world, session, { frame, state })));
  };
  const goBack = visit(({ res, session }) => {
    res.redirect(303, session.status === 'completed' ? successAddress(session) : `/checkout/${session.id}`);
  });
  router.get(
    '/checkout/:id',
    visit((seen) => show(seen, stateOf(seen.req))),
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

type Show = (seen: Visit, state?: CheckoutState) => void;

function pay(world: World, seen: Visit, show: Show): void {
  const { req, res, session, frame } = seen;
  if (session.status !== 'pending') {
    res.redirect(303, `/checkout/${session.id}${frame.langQuery}`);
    return;
  }
  const { card, errors, values } = readCardForm(req.body, world.now(), frame.w);
  if (Object.keys(errors).length > 0) {
    res.status(422);
    show(seen, { errors, values, failed: false });
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
  switch (outcome?.kind) {
    case 'paid':
      return outcome.redirectTo;
    case 'challenge':
      return `${outcome.url}${langQuery}`;
    case 'error':
      return `/checkout/${id}${langQuery}${langQuery === '' ? '?' : '&'}failed=1`;
    default:
      return `/checkout/${id}${langQuery}`;
  }
}

function stateOf(req: Request): CheckoutState {
  return { ...untouched, failed: req.query['failed'] === '1' };
}

function endOf(session: Session, { w }: Frame): MessageModel {
  const back = (href: string | undefined) =>
    href === undefined ? {} : { link: { href, label: w.backToShop } };
  switch (session.status) {
    case 'completed':
      return {
        title: w.completedTitle,
        text: w.completedText,
        tone: 'good',
        ...back(successAddress(session)),
      };
    case 'expired':
      return { title: w.expiredTitle, text: w.expiredText, tone: 'calm', ...back(returnAddress(session)) };
    case 'cancelled':
      return {
        title: w.cancelledTitle,
        text: w.cancelledText,
        tone: 'calm',
        ...back(returnAddress(session)),
      };
    default:
      return { title: w.closedTitle, text: w.closedText, tone: 'calm', ...back(returnAddress(session)) };
  }
}
