/**
 * The control operations over HTTP, for this machine only. `POST /_control/<operation>` takes a JSON array of the
 * operation's arguments, for example `["process", { "kind": "hang" }, 1]` for `fault`.
 */
import express, { type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { callSchema, faultSchema } from './faults.js';
import { simulatorSettings } from './settings.js';

/** Operations without effect, also available with GET. */
const readOnly = /^(?:calls|faults|sessions|payments|refunds|ledger|refundLedger|deliveries)$/;

/** Only faults and settings are checked. A wrong id is reported by its operation. */
const argumentSchemas: Readonly<Record<string, z.ZodType<unknown[]>>> = {
  fault: z.tuple([callSchema, faultSchema]).rest(z.int().min(1)),
  settings: z.tuple([simulatorSettings.partial()]),
};

export function controlRoutes(control: Control): Router {
  const router = express.Router();
  router.use(allowThisMachine, express.json({ limit: '1mb' }));
  router.get('/:operation', async (req, res) => {
    if (readOnly.test(req.params.operation)) await perform(control, req.params.operation, [], res);
    else res.status(405).json({ error: 'this operation needs POST' });
  });
  router.post('/:operation', async (req, res) => {
    const body: unknown = req.body ?? [];
    if (Array.isArray(body)) await perform(control, req.params.operation, body, res);
    else res.status(400).json({ error: 'the body must be a JSON array of arguments' });
  });
  return router;
}

async function perform(control: Control, name: string, args: unknown[], res: Response): Promise<void> {
  if (!Object.hasOwn(control, name)) {
    res.status(404).json({ error: `no such operation: ${name}` });
    return;
  }
  try {
    const operation = control[name as keyof Control] as (...args: unknown[]) => unknown;
    const result = await operation(...(argumentSchemas[name]?.parse(args) ?? args));
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
