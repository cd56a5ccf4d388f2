/** The control operations over HTTP, for this machine only: `POST /_control/<operation>` with a JSON object. */
import express, { type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { callSchema, faultSchema } from './faults.js';
import { refundStatuses } from './model.js';
import { webhookModes } from './webhooks.js';

type Operation = (control: Control, body: unknown) => unknown;

const id = z.string();
const times = z.int().min(1).optional();
const settings = {
  declineHttpStatus: z.union([z.literal(200), z.literal(402)]).optional(),
  signingSecret: z.string().nullable().optional(),
  signingText: z.enum(['both', 'ascii', 'utf8']).optional(),
  refundStatus: z.enum(refundStatuses).optional(),
  refundsPerPayment: z.enum(['one', 'several']).optional(),
  webhooks: z.enum(webhookModes).optional(),
  webhookUrl: z.url().optional(),
};

const operations: Readonly<Record<keyof Control, Operation>> = {
  fault: operation({ call: callSchema, fault: faultSchema, times }, (control, body) =>
    control.fault(body.call, body.fault, body.times),
  ),
  rateLimit: operation({ call: callSchema, retryAfterSeconds: z.number().min(0), times }, (control, body) =>
    control.rateLimit(body.call, body.retryAfterSeconds, body.times),
  ),
  setProfile: operation({ profile: z.enum(['interface', 'public-docs']) }, (control, body) =>
    control.setProfile(body.profile),
  ),
  settings: operation(settings, (control, body) => control.settings(body)),
  advanceClock: operation({ ms: z.number() }, (control, body) => control.advanceClock(body.ms)),
  forceSession: operation({ id, status: z.string(), transactionStatus: z.string() }, (control, body) =>
    control.forceSession(body.id, body.status, body.transactionStatus),
  ),
  forcePayment: operation({ id, status: z.string() }, (control, body) =>
    control.forcePayment(body.id, body.status),
  ),
  paySession: operation({ id, card: z.string().optional() }, (control, body) =>
    control.paySession(body.id, body.card),
  ),
  cancelSession: operation({ id }, (control, body) => control.cancelSession(body.id)),
  expireSession: operation({ id }, (control, body) => control.expireSession(body.id)),
  approve: operation({ id }, (control, body) => control.approve(body.id)),
  refuse: operation({ id }, (control, body) => control.refuse(body.id)),
  finishRefund: operation({ id, status: z.enum(['Success', 'Failed']) }, (control, body) =>
    control.finishRefund(body.id, body.status),
  ),
  sendWebhookAgain: operation({ id }, (control, body) => control.sendWebhookAgain(body.id)),
  tokenizeCard: operation({ number: z.string() }, (control, body) => control.tokenizeCard(body.number)),
  calls: operation({ call: callSchema.optional() }, (control, body) => control.calls(body.call)),
  release: (control) => control.release(),
  clearFaults: (control) => control.clearFaults(),
  faults: (control) => control.faults(),
  sessions: (control) => control.sessions(),
  payments: (control) => control.payments(),
  refunds: (control) => control.refunds(),
  ledger: (control) => control.ledger(),
  refundLedger: (control) => control.refundLedger(),
  deliveries: (control) => control.deliveries(),
  reset: (control) => control.reset(),
};

/** Operations without effect, also available with GET. */
const readOnly: readonly string[] = [
  'calls',
  'faults',
  'sessions',
  'payments',
  'refunds',
  'ledger',
  'refundLedger',
  'deliveries',
];

export function controlRoutes(control: Control): Router {
  const router = express.Router();
  router.use(allowThisMachine, express.json({ limit: '1mb' }));
  router.get('/:operation', async (req, res) => {
    const { operation: name } = req.params;
    if (readOnly.includes(name)) await perform(control, name, { input: req.query, res });
    else res.status(405).json({ error: 'this operation needs POST' });
  });
  router.post('/:operation', async (req, res) => {
    await perform(control, req.params.operation, { input: req.body ?? {}, res });
  });
  return router;
}

interface HttpCall {
  readonly input: unknown;
  readonly res: Response;
}

async function perform(control: Control, name: string, { input, res }: HttpCall): Promise<void> {
  if (!Object.hasOwn(operations, name)) {
    res.status(404).json({ error: `no such operation: ${name}` });
    return;
  }
  try {
    const result = await operations[name as keyof Control](control, input);
    res.json({ result: result ?? null });
  } catch (error) {
    res.status(400).json({ error: error instanceof Error ? error.message : String(error) });
  }
}

/** Refuses other machines and the pages of other sites. */
export const allowThisMachine: RequestHandler = (req, res, next) => {
  const local = /^(::1|(::ffff:)?127\.[0-9.]+)$/.test(req.socket.remoteAddress ?? '');
  const crossSite = ['cross-site', 'same-site'].includes(req.get('Sec-Fetch-Site') ?? '');
  if (local && (!crossSite || req.method === 'GET')) next();
  else res.status(403).json({ error: 'control is for this machine only' });
};

function operation<Shape extends z.ZodRawShape>(
  shape: Shape,
  perform: (control: Control, body: z.infer<z.ZodObject<Shape>>) => unknown,
): Operation {
  const schema = z.object(shape);
  return (control, body) => perform(control, schema.parse(body));
}
