/** The first page: what the simulator is, what has happened, and how to make things go wrong. */
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { fromThisMachine } from './control-routes.js';
import { presets } from './fault-presets.js';
import { callSchema } from './faults.js';
import { frameOf } from './frame.js';
import { startModel } from './start-model.js';
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

export function startPage(world: World, control: Control, render: Render): Router {
  const router = express.Router();
  router.get('/', (req, res) => {
    const frame = frameOf(req);
    res.send(render('start', frame, startModel(world, control, frame)));
  });
  const on = (path: string, act: (body: unknown, id: string) => unknown) =>
    router.post(path, fromThisMachine, async (req, res) => {
      await act(req.body, String(req.params['id']));
      res.redirect(303, `/${frameOf(req).langQuery}`);
    });
  on('/start/faults', (body) => planFault(control, body));
  on('/start/settings', (body) => changeSettings(control, body));
  on('/start/clock', (body) => {
    const form = clockForm.safeParse(body);
    if (form.success) control.advanceClock(form.data.minutes * 60_000);
  });
  on('/start/reset', () => control.reset());
  on('/start/deliveries/:id', (_body, id) => control.sendWebhookAgain(id).catch(() => undefined));
  return router;
}

function planFault(control: Control, body: unknown): void {
  const form = faultForm.safeParse(body);
  const chosen = presets.find(({ name }) => name === form.data?.fault);
  if (!form.success || chosen === undefined) return;
  control.fault(form.data.call, chosen.fault, form.data.times === 'once' ? 1 : undefined);
}

function changeSettings(control: Control, body: unknown): void {
  const form = settingsForm.safeParse(body);
  if (!form.success) return;
  const { profile, ...patch } = form.data;
  control.setProfile(profile);
  control.settings(patch);
}
