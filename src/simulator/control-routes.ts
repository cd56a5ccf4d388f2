/** The same strings over HTTP, for this machine only: `POST /_control/<operation>` with a JSON object. */
import express, { type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { callSchema, faultSchema } from './faults.js';
import { webhookModes } from './webhooks.js';

type Operation = (control: Control, body: unknown) => unknown;

const none = z.object({});
const byId = z.object({ id: z.string() });
const times = z.int().min(1).optional();
const profile = z.enum(['interface', 'public-docs']);

/** What a settings change may hold. */
const settingsSchema = z.object({
  declineHttpStatus: z.union([z.literal(200), z.literal(402)]).optional(),
  signingSecret: z.string().nullable().optional(),
  webhooks: z.enum(webhookModes).optional(),
  webhookUrl: z.url().optional(),
});

const operations: Readonly<Record<keyof Control, Operation>> = {
  fault: operation(z.object({ call: callSchema, fault: faultSchema, times }), (control, body) =>
    control.fault(body.call, body.fault, body.times),
  ),
  release: operation(none, (control) => control.release()),
  clearFaults: operation(none, (control) => control.clearFaults()),
  faults: operation(none, (control) => control.faults()),
  rateLimit: operation(
    z.object({ call: callSchema, retryAfterSeconds: z.number().min(0), times }),
    (control, body) => control.rateLimit(body.call, body.retryAfterSeconds, body.times),
  ),
  setProfile: operation(z.object({ profile }), (control, body) => control.setProfile(body.profile)),
  settings: operation(settingsSchema, (control, body) => control.settings(body)),
  advanceClock: operation(z.object({ ms: z.number() }), (control, body) => control.advanceClock(body.ms)),
  forceSession: operation(
    z.object({ id: z.string(), status: z.string(), transactionStatus: z.string() }),
    (control, body) => control.forceSession(body.id, body.status, body.transactionStatus),
  ),
  forcePayment: operation(z.object({ id: z.string(), status: z.string() }), (control, body) =>
    control.forcePayment(body.id, body.status),
  ),
  paySession: operation(z.object({ id: z.string(), card: z.string().optional() }), (control, body) =>
    control.paySession(body.id, body.card),
  ),
  cancelSession: operation(byId, (control, body) => control.cancelSession(body.id)),
  expireSession: operation(byId, (control, body) => control.expireSession(body.id)),
  approve: operation(byId, (control, body) => control.approve(body.id)),
  refuse: operation(byId, (control, body) => control.refuse(body.id)),
  tokenizeCard: operation(z.object({ number: z.string() }), (control, body) =>
    control.tokenizeCard(body.number),
  ),
  calls: operation(z.object({ call: callSchema.optional() }), (control, body) => control.calls(body.call)),
  sessions: operation(none, (control) => control.sessions()),
  payments: operation(none, (control) => control.payments()),
  ledger: operation(none, (control) => control.ledger()),
  deliveries: operation(none, (control) => control.deliveries()),
  sendWebhookAgain: operation(byId, (control, body) => control.sendWebhookAgain(body.id)),
  reset: operation(none, (control) => control.reset()),
};

/** Those that only look may be read with GET. */
const readings: readonly string[] = ['calls', 'faults', 'sessions', 'payments', 'ledger', 'deliveries'];

export function controlRoutes(control: Control): Router {
  const router = express.Router();
  router.use(fromThisMachine, express.json({ limit: '1mb' }));
  router.post('/:operation', (req, res) => run(control, req.params.operation, { body: req.body ?? {}, res }));
  router.get('/:operation', async (req, res) => {
    if (!readings.includes(req.params.operation))
      res.status(405).json({ error: 'this operation needs POST' });
    else await run(control, req.params.operation, { body: req.query, res });
  });
  return router;
}

/** A page of another site must not pull the strings, and neither may another machine. */
export const fromThisMachine: RequestHandler = (req, res, next) => {
  const local = /^(::1|(::ffff:)?127\.[0-9.]+)$/.test(req.socket.remoteAddress ?? '');
  const foreign = ['cross-site', 'same-site'].includes(req.get('Sec-Fetch-Site') ?? '');
  if (local && (!foreign || req.method === 'GET')) next();
  else res.status(403).json({ error: 'control is for this machine only' });
};

async function run(control: Control, name: string, { body, res }: { body: unknown; res: express.Response }) {
  const perform = Object.hasOwn(operations, name) ? operations[name as keyof Control] : undefined;
  if (perform === undefined) {
    res.status(404).json({ error: `no such operation: ${name}` });
    return;
  }
  try {
    res.json({ result: (await perform(control, body)) ?? null });
  } catch (error) {
    res.status(400).json({ error: error instanceof Error ? error.message : String(error) });
  }
}

function operation<T>(schema: z.ZodType<T>, perform: (control: Control, body: T) => unknown): Operation {
  return (control, body) => perform(control, schema.parse(body));
}
