/** The bank's 3D Secure page: approve, refuse, or walk away. */
import express, { type Request, type Response, type Router } from 'express';
import { addressAfterBank, answerChallenge, findChallenge } from './bank.js';
import { bankModel } from './bank-model.js';
import { type Frame, frameOf } from './frame.js';
import type { Challenge } from './model.js';
import type { MessageModel, Render } from './views.js';
import type { World } from './world.js';

export function bankPage(world: World, render: Render): Router {
  const router = express.Router();
  router.get('/bank/:id', (req, res, next) => {
    const challenge = findChallenge(world, req.params.id);
    const frame = frameOf(req);
    if (challenge === undefined) next();
    else if (challenge.answer !== 'open') res.send(render('message', frame, closed(world, challenge, frame)));
    else res.send(render('bank', frame, bankModel(world, challenge, frame)));
  });
  router.post('/bank/:id', (req, res, next) => {
    const challenge = findChallenge(world, req.params.id);
    if (challenge === undefined) next();
    else answer({ world, render, challenge }, req, res);
  });
  return router;
}

interface Desk {
  readonly world: World;
  readonly render: Render;
  readonly challenge: Challenge;
}

function answer({ world, render, challenge }: Desk, req: Request, res: Response): void {
  const frame = frameOf(req);
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

function walkedAway(challenge: Challenge, { w, langQuery }: Frame): MessageModel {
  const link = { href: `/bank/${challenge.id}${langQuery}`, label: w.backToBank };
  return { title: w.awayTitle, text: w.awayText, tone: 'calm', link };
}

function closed(world: World, challenge: Challenge, { w }: Frame): MessageModel {
  const link = { href: addressAfterBank(world, challenge), label: w.continue };
  const late = challenge.answer === 'expired';
  const said = late
    ? { title: w.lateTitle, text: w.lateText }
    : { title: w.answeredTitle, text: w.answeredText };
  return { ...said, tone: 'calm', link };
}
