/** The start page: test cards, faults, settings, clock, and the latest records. */
import express, { type Router } from 'express';
import { z } from 'zod';
import type { Control } from './control.js';
import { allowThisMachine } from './control-routes.js';
import { callTexts, faultLabel, presets } from './fault-presets.js';
import { callSchema } from './faults.js';
import { type PageContext, pageContext, render } from './render.js';
import { simulatorSettings } from './settings.js';
import type { SimulatorState } from './state.js';
import { describeCards, testCards } from './test-cards.js';

const presetNames = Object.keys(presets) as (keyof typeof presets)[];

const faultForm = z.object({
  call: callSchema,
  fault: z.enum(presetNames),
  times: z.enum(['once', 'always']),
});
const settingsForm = simulatorSettings.omit({ signingSecret: true, signingText: true }).extend({
  declineHttpStatus: z.enum(['200', '402']).transform((text) => (text === '402' ? 402 : 200)),
  latePaymentMinutes: z.coerce.number().min(0).max(100_000),
});
const refundForm = z.object({ status: z.enum(['Success', 'Failed']) });
const clockForm = z.object({ minutes: z.coerce.number().min(0).max(100_000) });
const emptyForm = z.unknown();

export function startPage(state: SimulatorState, control: Control): Router {
  const router = express.Router();
  router.get('/', (req, res) => {
    render(req, res, 'start', (context) => startModel(state, control, context));
  });
  router.get('/rules', (req, res) => render(req, res, 'rules', ({ t }) => ({ title: t.ownRules })));
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
    control.fault(call, presets[fault].fault, times === 'once' ? 1 : undefined),
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
  const { t, translate, amount, time } = context;
  const row = (id: string, minor: number, at: number) => ({ id, amount: amount(minor), at: time(at) });
  return {
    title: t.simulator,
    shopUrl: shopUrl(state),
    testCards: describeCards(testCards, translate),
    calls: callSchema.options.map((call) => ({ value: call, label: translate(callTexts[call]) })),
    presets: presetNames.map((name) => ({ name, label: translate(presets[name].text) })),
    planned: control.faults().map(({ call, fault, left }) => {
      const times = left === Number.POSITIVE_INFINITY ? t.always : `× ${left}`;
      return `${translate(callTexts[call])}: ${faultLabel(fault, context)} (${times})`;
    }),
    settings: state.settings,
    choices: simulatorSettings.shape,
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
      attempts: delivery.results.join(', '),
      at: time(delivery.at),
    })),
  };
}

export function shopUrl({ options }: SimulatorState): string | undefined {
  return options.webhook === undefined ? undefined : new URL(options.webhook.url).origin;
}

function latest<T>(records: readonly T[]): readonly T[] {
  return records.slice(-10).reverse();
}
