/** The control operations over HTTP, for this machine only: `POST /_control/<operation>` with a JSON object. */
import express, { type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { callSchema, faultSchema } from './faults.js';
import { webhookModes } from './webhooks.js';

type Operation = (control: Control, body: unknown) => unknown;

const withId = z.object({ id: z.string() });
const times = z.int().min(1).optional();

const settingsSchema = z.object({
  declineHttpStatus: z.union([z.literal(200), z.literal(402)]).optional(),
  signingSecret: z.string().nullable().optional(),
  signingText: z.enum(['both', 'ascii', 'utf8']).optional(),
  webhooks: z.enum(webhookModes).optional(),
  webhookUrl: z.url().optional(),
});

const operations: Readonly<Record<keyof Control, Operation>> = {
  fault: operation(z.object({ call: callSchema, fault: faultSchema, times }), (control, body) =>
    control.fault(body.call, body.fault, body.times),
  ),
  rateLimit: operation(
    z.object({ call: callSchema, retryAfterSeconds: z.number().min(0), times }),
    (control, body) => control.rateLimit(body.call, body.retryAfterSeconds, body.times),
  ),
  setProfile: operation(z.object({ profile: z.enum(['interface', 'public-docs']) }), (control, body) =>
    control.setProfile(body.profile),
  ),
  settings: operation(settingsSchema, (control, body) => control.settings(body)),
  advanceClock: operation(z.object({ ms: z.number() }), (control, body) => control.advanceClock(body.ms)),
  forceSession: operation(
    withId.extend({ status: z.string(), transactionStatus: z.string() }),
    (control, body) => control.forceSession(body.id, body.status, body.transactionStatus),
  ),
  forcePayment: operation(withId.extend({ status: z.string() }), (control, body) =>
    control.forcePayment(body.id, body.status),
  ),
  paySession: operation(withId.extend({ card: z.string().optional() }), (control, body) =>
    control.paySession(body.id, body.card),
  ),
  cancelSession: operation(withId, (control, { id }) => control.cancelSession(id)),
  expireSession: operation(withId, (control, { id }) => control.expireSession(id)),
  approve: operation(withId, (control, { id }) => control.approve(id)),
  refuse: operation(withId, (control, { id }) => control.refuse(id)),
  sendWebhookAgain: operation(withId, (control, { id }) => control.sendWebhookAgain(id)),
  tokenizeCard: operation(z.object({ number: z.string() }), (control, body) =>
    control.tokenizeCard(body.number),
  ),
  calls: operation(z.object({ call: callSchema.optional() }), (control, body) => control.calls(body.call)),
  release: (control) => control.release(),
  clearFaults: (control) => control.clearFaults(),
  faults: (control) => control.faults(),
  sessions: (control) => control.sessions(),
  payments: (control) => control.payments(),
  ledger: (control) => control.ledger(),
  deliveries: (control) => control.deliveries(),
  reset: (control) => control.reset(),
};

/** Operations without effect, also available with GET. */
const readOnly: readonly string[] = ['calls', 'faults', 'sessions', 'payments', 'ledger', 'deliveries'];

export function controlRoutes(control: Control): Router {
  const router = express.Router();
  router.use(fromThisMachine, express.json({ limit: '1mb' }));
  router.post('/:operation', (req, res) => run(control, req.params.operation, { body: req.body ?? {}, res }));
  router.get('/:operation', async (req, res) => {
    if (!readOnly.includes(req.params.operation))
      res.status(405).json({ error: 'this operation needs POST' });
    else await run(control, req.params.operation, { body: req.query, res });
  });
  return router;
}

/** Refuses other machines and the pages of other sites. */
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
