/** The start page: test cards, faults, settings, clock, and the latest records. */
import express, { type Router } from 'express';
import { z } from 'zod';
import { type Control, rateLimitFault } from './control.js';
import { allowThisMachine } from './control-routes.js';
import { type Call, callSchema, type Fault } from './faults.js';
import type { Messages } from './messages-es.js';
import { type PageContext, pageContext, type Render } from './render.js';
import { settingsSchema } from './settings.js';
import type { SimulatorState } from './state.js';
import { describeCards, testCards } from './test-cards.js';

const html = '<!doctype html><h1>Bad gateway</h1>';

/** The faults of the form with their messages; all others are for `/_control/fault`. */
const presets = {
  faultLatency: { kind: 'latency', ms: 8000 },
  faultHang: { kind: 'hang' },
  faultDropBefore: { kind: 'drop', when: 'before' },
  faultDropAfter: { kind: 'drop', when: 'after' },
  fault503: { kind: 'status', status: 503 },
  fault401: { kind: 'status', status: 401 },
  fault429: rateLimitFault(5),
  faultHtml: { kind: 'raw', body: html, contentType: 'text/html' },
  faultAmount: { kind: 'rewrite', set: { amount: 0.01, amount_total: 1 } },
} as const satisfies Partial<Record<keyof Messages, Fault>>;

const presetNames = Object.keys(presets) as (keyof typeof presets)[];

const callLabels: Readonly<Record<Call, keyof Messages>> = {
  'create-session': 'callCreateSession',
  'read-session': 'callReadSession',
  process: 'callProcess',
  refund: 'callRefund',
  'read-transaction': 'callReadTransaction',
  'tokenization-auth': 'callTokenizationAuth',
  tokenize: 'callTokenize',
};

const faultForm = z.object({
  call: callSchema,
  fault: z.enum(presetNames),
  times: z.enum(['once', 'always']),
});
const settingsForm = settingsSchema.omit({ signingSecret: true, signingText: true }).extend({
  declineHttpStatus: z.enum(['200', '402']).transform((text) => (text === '402' ? 402 : 200)),
});
const refundForm = z.object({ status: z.enum(['Success', 'Failed']) });
const clockForm = z.object({ minutes: z.coerce.number().min(0).max(100_000) });
const emptyForm = z.unknown();

export function startPage(state: SimulatorState, control: Control, render: Render): Router {
  const router = express.Router();
  router.get('/', (req, res) => {
    render(req, res, 'start', (context) => startModel(state, control, context));
  });
  /** Redirects to the section of the form. A form with wrong values changes nothing. */
  const onPost = <T>(
    [path, section]: readonly [path: string, section: string],
    form: z.ZodType<T>,
    act: (values: T, id: string) => unknown,
  ) =>
    router.post(path, allowThisMachine, async (req, res) => {
      const { success, data } = form.safeParse(req.body);
      if (success) await act(data, String(req.params['id']));
      res.redirect(303, `/${pageContext(req).localeQuery}#${section}-title`);
    });
  onPost(['/start/faults', 'faults'], faultForm, ({ call, fault, times }) =>
    control.fault(call, presets[fault], times === 'once' ? 1 : undefined),
  );
  onPost(['/start/faults/clear', 'faults'], emptyForm, () => control.clearFaults());
  onPost(['/start/settings', 'settings'], settingsForm, (settings) => control.settings(settings));
  onPost(['/start/clock', 'clock'], clockForm, ({ minutes }) => control.advanceClock(minutes * 60_000));
  onPost(['/start/refunds/:id', 'refunds'], refundForm, ({ status }, id) => {
    if (state.refunds.get(id) !== undefined) control.finishRefund(id, status);
  });
  onPost(['/start/reset', 'settings'], emptyForm, () => control.reset());
  onPost(['/start/deliveries/:id', 'deliveries'], emptyForm, (_form, id) =>
    control.sendWebhookAgain(id).catch(() => undefined),
  );
  return router;
}

function startModel(state: SimulatorState, control: Control, context: PageContext) {
  const { t, locale, amount, time } = context;
  const row = (id: string, minor: number, at: number) => ({ id, amount: amount(minor), at: time(at) });
  return {
    title: t.simulator,
    shopUrl: shopUrl(state),
    testCards: describeCards(testCards, locale),
    calls: callSchema.options.map((call) => ({ value: call, label: t[callLabels[call]] })),
    presets: presetNames.map((name) => ({ name, label: t[name] })),
    planned: control.faults().map(({ call, fault, left }) => {
      const times = left === Number.POSITIVE_INFINITY ? t.always : `× ${left}`;
      return `${t[callLabels[call]]}: ${faultLabel(fault, t)} (${times})`;
    }),
    settings: state.settings,
    choices: settingsSchema.shape,
    now: time(state.now()),
    sessions: latest(control.sessions()).map(({ id, request, status, transactionStatus, createdAt }) => ({
      ...row(id, request.amount_total, createdAt),
      href: `${state.url}/checkout/${id}`,
      reference: request.external_id,
      status: `${status} · ${transactionStatus}`,
    })),
    payments: latest(control.payments()).map(({ id, reference, amountMinor, status, createdAt }) => ({
      ...row(id, amountMinor, createdAt),
      reference,
      status,
    })),
    refunds: latest(control.refunds()).map(({ id, originalId, amountMinor, status, createdAt }) => ({
      ...row(id, amountMinor, createdAt),
      reference: control.payments().find((payment) => payment.id === originalId)?.reference,
      status,
      finish: status === 'Pending' ? `/start/refunds/${id}${context.localeQuery}` : undefined,
    })),
    ledger: latest(control.ledger()).map(({ id, reference, amountMinor, kind, at }) => ({
      ...row(id, amountMinor, at),
      reference,
      status: kind,
    })),
    deliveries: latest(control.deliveries()).map((delivery) => ({
      ...delivery,
      attempts: delivery.attempts.map(({ result }) => String(result)).join(', '),
      at: time(delivery.at),
    })),
  };
}

export function shopUrl({ options }: SimulatorState): string | undefined {
  return options.webhook === undefined ? undefined : new URL(options.webhook.url).origin;
}

/** The label of a preset, or the kind of any other fault. */
export function faultLabel(fault: Fault, t: Messages): string {
  const json = JSON.stringify(fault);
  const preset = presetNames.find((name) => JSON.stringify(presets[name]) === json);
  if (preset !== undefined) return t[preset];
  const detail = 'status' in fault ? fault.status : 'when' in fault ? fault.when : undefined;
  return detail === undefined ? fault.kind : `${fault.kind} ${detail}`;
}

function latest<T>(records: readonly T[]): readonly T[] {
  return records.slice(-10).reverse();
}
