/** Counters and histograms of this process. */

import { GATEWAY_CALLS, GATEWAY_ERROR_CODES, LOOKUP_BUDGET, WEBHOOK_ANSWERS } from '@tianguis/payments/operations';
import { ATTEMPT_STATES, ORDER_STATES, PAYMENT_FLOWS, REFUND_STATES, TRIGGERS } from '@tianguis/payments/rules';
import type { Observer } from '../../shop/observer.js';
import type { MetricFactory } from './metric-factory.js';

const GATEWAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 25];
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the counters. Each known label value starts at zero, so that its first event is visible as an increase. */
export function registerCounters(factory: MetricFactory, limits: readonly string[]): Observer {
  return { ...countPayments(factory), ...countWorker(factory), ...countRequests(factory, limits) };
}

function countPayments({ counter, histogram }: MetricFactory) {
  const attempts = counter('tianguis_attempts_total', 'Payment attempts that entered a state', 'flow', 'state');
  const transitions = counter(
    'tianguis_order_transitions_total',
    'State transitions of orders, by new state and by trigger',
    'to',
    'trigger',
  );
  const refunds = counter('tianguis_refunds_total', 'Refunds and chargebacks that entered a state', 'kind', 'state');
  const durations = histogram(
    'tianguis_gateway_call_duration_seconds',
    'Duration of gateway calls, retries included',
    GATEWAY_BUCKETS,
    'call',
  );
  const errors = counter(
    'tianguis_gateway_call_errors_total',
    'Gateway calls that failed after all retries, by error code',
    'call',
    'code',
  );
  const webhooks = counter('tianguis_webhooks_total', 'Webhook requests, by answer', 'answer');
  for (const flow of PAYMENT_FLOWS) for (const state of ATTEMPT_STATES) attempts.inc({ flow, state }, 0);
  for (const to of ORDER_STATES) for (const trigger of TRIGGERS) transitions.inc({ to, trigger }, 0);
  for (const state of REFUND_STATES) refunds.inc({ kind: 'refund', state }, 0);
  refunds.inc({ kind: 'chargeback', state: 'recorded' }, 0);
  for (const call of GATEWAY_CALLS) {
    durations.zero({ call });
    for (const code of GATEWAY_ERROR_CODES) errors.inc({ call, code }, 0);
  }
  for (const answer of WEBHOOK_ANSWERS) webhooks.inc({ answer }, 0);
  return {
    attemptChanged: (flow, state) => attempts.inc({ flow, state }),
    refundChanged: (kind, state) => refunds.inc({ kind, state }),
    orderChanged: (to, trigger) => transitions.inc({ to, trigger }),
    gatewayCalled(call, ms, code) {
      durations.observe({ call }, ms / 1000);
      if (code) errors.inc({ call, code });
    },
    webhookAnswered: (answer) => webhooks.inc({ answer }),
  } satisfies Partial<Observer>;
}

function countWorker({ counter, gauge }: MetricFactory) {
  const lookups = counter(
    'tianguis_worker_lookups_total',
    'Lookups that the worker requested, by whether the lookup budget allowed them',
    'flow',
    'budget',
  );
  const budget = gauge(
    'tianguis_worker_lookup_budget',
    'Lookups per minute that all processes of one database may make',
    'flow',
  );
  const runs = counter(
    'tianguis_worker_runs_total',
    'Batches of background work that this process ran, by result',
    'result',
  );
  const lastRun = gauge('tianguis_worker_last_run_seconds', 'Duration of the last batch of background work');
  for (const flow of PAYMENT_FLOWS) {
    budget.set({ flow }, LOOKUP_BUDGET[flow]);
    for (const result of ['within', 'beyond']) lookups.inc({ flow, budget: result }, 0);
  }
  for (const result of ['done', 'failed']) runs.inc({ result }, 0);
  return {
    lookupRequested: (flow, allowed) => lookups.inc({ flow, budget: allowed ? 'within' : 'beyond' }),
    workerRan(ms, succeeded) {
      lastRun.set(ms / 1000);
      runs.inc({ result: succeeded ? 'done' : 'failed' });
    },
  } satisfies Partial<Observer>;
}

function countRequests({ counter, histogram }: MetricFactory, limits: readonly string[]) {
  const exceeded = counter(
    'tianguis_rate_limit_exceeded_total',
    'Requests that a rate limit refused, by limit',
    'limit',
  );
  for (const limit of limits) exceeded.inc({ limit }, 0);
  const shed = counter(
    'tianguis_http_requests_shed_total',
    'Requests that were refused because the process was overloaded',
  );
  const durations = histogram(
    'tianguis_http_request_duration_seconds',
    'Duration of requests, from the first byte received to the last byte sent',
    REQUEST_BUCKETS,
    'route',
    'status',
  );
  return {
    limitReached: (limit) => exceeded.inc({ limit }),
    requestEnded: (route, status, ms) =>
      durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    requestShed: () => shed.inc(),
  } satisfies Partial<Observer>;
}
