/** The start page: test cards, faults, settings, clock, and what has happened. */
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { fromThisMachine } from './control-routes.js';
import { type Call, callSchema, type Fault } from './faults.js';
import type { Words } from './messages-es.js';
import { type Frame, frameOf, moment, price, type Render } from './pages.js';
import { shownCards, testCards } from './test-cards.js';
import { webhookModes } from './webhooks.js';
import type { World } from './world.js';

const bigBytes = 200_000_000;
const limited = { error: { code: 'rate_limit_exceeded', message: 'Too many requests.', retry_after: 5 } };
const limitedHeaders = { 'Retry-After': '5' };
const html = '<!doctype html><h1>Bad gateway</h1>';

/** The faults of the form; all others are for `/_control/fault`. */
const presets: Readonly<Record<string, { readonly label: keyof Words; readonly fault: Fault }>> = {
  late: { label: 'faultLatency', fault: { kind: 'latency', ms: 8000 } },
  hang: { label: 'faultHang', fault: { kind: 'hang' } },
  drip: { label: 'faultDrip', fault: { kind: 'drip', bytesPerSecond: 5 } },
  'drop-before': { label: 'faultBefore', fault: { kind: 'drop', when: 'before' } },
  'drop-after': { label: 'faultAfter', fault: { kind: 'drop', when: 'after' } },
  'status-503': { label: 'faultDown', fault: { kind: 'status', status: 503 } },
  'status-401': { label: 'faultKey', fault: { kind: 'status', status: 401 } },
  'status-429': {
    label: 'faultLimit',
    fault: { kind: 'status', status: 429, headers: limitedHeaders, body: limited },
  },
  html: { label: 'faultHtml', fault: { kind: 'raw', body: html, contentType: 'text/html' } },
  amount: { label: 'faultAmount', fault: { kind: 'rewrite', set: { amount: 0.01, amount_total: 1 } } },
  huge: { label: 'faultHuge', fault: { kind: 'huge', bytes: bigBytes } },
  'gzip-bomb': { label: 'faultBomb', fault: { kind: 'gzip-bomb', bytes: bigBytes } },
  redirect: { label: 'faultRedirect', fault: { kind: 'redirect', location: 'http://localhost:9/' } },
};

const callLabels: Readonly<Record<Call, keyof Words>> = {
  'create-session': 'callCreateSession',
  'read-session': 'callReadSession',
  process: 'callProcess',
  'read-transaction': 'callReadTransaction',
  'tokenization-auth': 'callTokenizationAuth',
  tokenize: 'callTokenize',
};

const faultForm = z.object({
  call: callSchema,
  fault: z.string().refine((name) => Object.hasOwn(presets, name)),
  times: z.enum(['once', 'always']),
});
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
  /** Redirects to the section of the form. A form with wrong values changes nothing. */
  const onPost = (path: string, section: string, act: (body: unknown, id: string) => unknown) =>
    router.post(path, fromThisMachine, async (req, res) => {
      await act(req.body, String(req.params['id']));
      res.redirect(303, `/${frameOf(req).langQuery}#${section}-title`);
    });
  onPost('/start/faults', 'faults', (body) => planFault(control, body));
  onPost('/start/faults/clear', 'faults', () => control.clearFaults());
  onPost('/start/settings', 'settings', (body) => changeSettings(control, body));
  onPost('/start/clock', 'clock', (body) => {
    const form = clockForm.safeParse(body);
    if (form.success) control.advanceClock(form.data.minutes * 60_000);
  });
  onPost('/start/reset', 'settings', () => control.reset());
  onPost('/start/deliveries/:id', 'deliveries', (_body, id) =>
    control.sendWebhookAgain(id).catch(() => undefined),
  );
  return router;
}

function planFault(control: Control, body: unknown): void {
  const form = faultForm.safeParse(body);
  const chosen = form.success ? presets[form.data.fault] : undefined;
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

function startModel(world: World, control: Control, frame: Frame) {
  const { w, lang } = frame;
  const row = (at: number, minor: number, more: object) => ({
    at: moment(at, lang),
    amount: price(minor, lang),
    ...more,
  });
  return {
    title: w.simulator,
    shopUrl: shopAddress(world),
    cards: shownCards(testCards, lang),
    calls: callSchema.options.map((call) => ({ value: call, label: w[callLabels[call]] })),
    presets: Object.entries(presets).map(([name, { label }]) => ({ name, label: w[label] })),
    planned: control.faults().map(({ call, fault, left }) => {
      const times = left === Number.POSITIVE_INFINITY ? w.always : `× ${left}`;
      return `${w[callLabels[call]]}: ${faultLabel(fault, w)} (${times})`;
    }),
    settings: { ...world.settings, webhooks: world.webhooks.mode },
    webhookModes,
    now: moment(world.now(), lang),
    sessions: latest(control.sessions()).map(({ id, request, status, transactionStatus, createdAt }) => {
      const state = `${status} · ${transactionStatus}`;
      const href = `${world.url}/checkout/${id}`;
      return row(createdAt, request.amount_total, { id, href, reference: request.external_id, state });
    }),
    payments: latest(control.payments()).map(({ id, reference, amountMinor, status, createdAt }) =>
      row(createdAt, amountMinor, { id, reference, state: status }),
    ),
    ledger: latest(control.ledger()).map(({ id, reference, amountMinor, kind, at }) =>
      row(at, amountMinor, { id, reference, state: kind }),
    ),
    deliveries: latest(control.deliveries()).map((delivery) => ({
      ...delivery,
      attempts: delivery.attempts.map(({ result }) => String(result)).join(', '),
      at: moment(delivery.at, lang),
    })),
  };
}

/** The address of the shop, taken from its webhook address. */
export function shopAddress({ webhooks }: World): string | undefined {
  return webhooks.url === undefined ? undefined : new URL(webhooks.url).origin;
}

/** The label of a preset, or the kind of any other fault. */
export function faultLabel(fault: Fault, w: Words): string {
  const json = JSON.stringify(fault);
  const known = Object.values(presets).find((preset) => JSON.stringify(preset.fault) === json);
  if (known !== undefined) return w[known.label];
  const detail = 'status' in fault ? fault.status : 'when' in fault ? fault.when : undefined;
  return detail === undefined ? fault.kind : `${fault.kind} ${detail}`;
}

function latest<T>(records: readonly T[]): readonly T[] {
  return records.slice(-20).reverse();
}
