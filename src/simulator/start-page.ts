/** The first page: what the simulator is, what has happened, and how to make things go wrong. */
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { fromThisMachine } from './control-routes.js';
import { presets } from './fault-presets.js';
import { callSchema } from './faults.js';
import { frameOf } from './frame.js';
import { type Doing, startModel } from './start-model.js';
import type { Render } from './views.js';
import { webhookModes } from './webhooks.js';
import type { World } from './world.js';

const faultForm = z.object({ call: callSchema, fault: z.string(), times: z.enum(['once', 'always']) });
const settingsForm = z.object({
  profile: z.enum(['interface', 'public-docs']),
  declineHttpStatus: z.enum(['200', '402']).transform((text) => (text === '402' ? 402 : 200)),
  webhooks: z.enum(webhookModes),
});
const clockForm = z.object({ minutes: z.coerce.number().min(0).max(100_000) });

/** What a form did, to be told where it was done; nothing when the form made no sense. */
type Act = (body: unknown, id: string) => Doing | undefined | Promise<Doing>;

export function startPage(world: World, control: Control, render: Render): Router {
  const router = express.Router();
  router.get('/', (req, res) => {
    const frame = frameOf(req);
    res.send(render('start', frame, startModel({ world, control }, frame, req.query['done'])));
  });
  const on = (path: string, act: Act) =>
    router.post(path, fromThisMachine, async (req, res) => {
      const done = await act(req.body, String(req.params['id']));
      const { langQuery } = frameOf(req);
      const told = `${langQuery === '' ? '?' : '&'}done=${done}#done`;
      res.redirect(303, `/${langQuery}${done === undefined ? '' : told}`);
    });
  on('/start/faults', (body) => planFault(control, body));
  on('/start/faults/clear', () => {
    control.clearFaults();
    return 'cleared';
  });
  on('/start/settings', (body) => changeSettings(control, body));
  on('/start/clock', (body) => advanceClock(control, body));
  on('/start/reset', () => {
    control.reset();
    return 'reset';
  });
  on('/start/deliveries/:id', (_body, id) => sendAgain(control, id));
  return router;
}

function planFault(control: Control, body: unknown): Doing {
  const form = faultForm.safeParse(body);
  const chosen = presets.find(({ name }) => name === form.data?.fault);
  if (!form.success || chosen === undefined) return 'unplanned';
  control.fault(form.data.call, chosen.fault, form.data.times === 'once' ? 1 : undefined);
  return 'planned';
}

function changeSettings(control: Control, body: unknown): Doing | undefined {
  const form = settingsForm.safeParse(body);
  if (!form.success) return undefined;
  const { profile, ...patch } = form.data;
  control.setProfile(profile);
  control.settings(patch);
  return 'saved';
}

function advanceClock(control: Control, body: unknown): Doing | undefined {
  const form = clockForm.safeParse(body);
  if (!form.success) return undefined;
  control.advanceClock(form.data.minutes * 60_000);
  return 'advanced';
}

async function sendAgain(control: Control, id: string): Promise<Doing> {
  const delivery = await control.sendWebhookAgain(id).catch(() => undefined);
  return delivery?.state === 'delivered' ? 'sent' : 'unsent';
}
