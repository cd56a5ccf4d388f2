/** Counters and histograms of this process. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LOOKUP_BUDGET } from '../checkout/lookup-budget.js';
import { LIMITS, type Observer, WEBHOOK_ANSWERS } from '../checkout/observer.js';
import { TRIGGERS } from '../checkout/trigger.js';
import { ATTEMPT_STATES, ORDER_STATES } from '../domain/order.js';
import { GATEWAY_CALLS, GATEWAY_ERROR_CODES } from '../gateway/errors.js';
import { measureRequests } from './request-times.js';

const PAYMENT_FLOWS = ['hosted', 'card'] as const;
const GATEWAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 25];

/** Registers the counters. Each known label value starts at zero, so that its first event is visible as an increase. */
export function registerCounters(registry: Registry): Observer {
  return {
    ...countPayments(registry),
    ...countGatewayCalls(registry),
    ...countWorker(registry),
    ...countRequests(registry),
  };
}

function countPayments(registry: Registry): Pick<Observer, 'attemptChanged' | 'orderChanged'> {
  const attempts = new Counter({
    name: 'tianguis_attempts_total',
    help: 'Payment attempts that entered a state',
    labelNames: ['flow', 'state'],
    registers: [registry],
  });
  const transitions = new Counter({
    name: 'tianguis_order_transitions_total',
    help: 'State transitions of orders, by new state and by trigger',
    labelNames: ['to', 'trigger'],
    registers: [registry],
  });
  for (const flow of PAYMENT_FLOWS) for (const state of ATTEMPT_STATES) attempts.inc({ flow, state }, 0);
  for (const to of ORDER_STATES) for (const trigger of TRIGGERS) transitions.inc({ to, trigger }, 0);
  return {
    attemptChanged: (flow, state) => attempts.inc({ flow, state }),
    orderChanged: (to, trigger) => transitions.inc({ to, trigger }),
  };
}

function countGatewayCalls(registry: Registry): Pick<Observer, 'gatewayCalled' | 'webhookAnswered'> {
  const durations = new Histogram({
    name: 'tianguis_gateway_call_duration_seconds',
    help: 'Duration of gateway calls, retries included',
    labelNames: ['call'],
    buckets: GATEWAY_BUCKETS,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'tianguis_gateway_call_errors_total',
    help: 'Gateway calls that failed after all retries, by error code',
    labelNames: ['call', 'code'],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'tianguis_webhooks_total',
    help: 'Webhook requests, by answer',
    labelNames: ['answer'],
    registers: [registry],
  });
  for (const call of GATEWAY_CALLS) {
    durations.zero({ call });
    for (const code of GATEWAY_ERROR_CODES) errors.inc({ call, code }, 0);
  }
  for (const answer of WEBHOOK_ANSWERS) webhooks.inc({ answer }, 0);
  return {
    gatewayCalled(call, ms, code) {
      durations.observe({ call }, ms / 1000);
      if (code) errors.inc({ call, code });
    },
    webhookAnswered: (answer) => webhooks.inc({ answer }),
  };
}

function countWorker(registry: Registry): Pick<Observer, 'lookupRequested' | 'workerRan'> {
  const lookups = new Counter({
    name: 'tianguis_worker_lookups_total',
    help: 'Lookups that the worker requested, by whether the lookup budget allowed them',
    labelNames: ['flow', 'budget'],
    registers: [registry],
  });
  const budget = new Gauge({
    name: 'tianguis_worker_lookup_budget',
    help: 'Lookups per minute that all processes of one database may make',
    labelNames: ['flow'],
    registers: [registry],
  });
  const runs = new Counter({
    name: 'tianguis_worker_runs_total',
    help: 'Batches of background work that this process ran, by result',
    labelNames: ['result'],
    registers: [registry],
  });
  const lastRun = new Gauge({
    name: 'tianguis_worker_last_run_seconds',
    help: 'Duration of the last batch of background work',
    registers: [registry],
  });
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
  };
}

function countRequests(registry: Registry): Pick<Observer, 'limitReached' | 'requestEnded' | 'requestShed'> {
  const exceeded = new Counter({
    name: 'tianguis_rate_limit_exceeded_total',
    help: 'Requests that a rate limit refused, by limit',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of LIMITS) exceeded.inc({ limit }, 0);
  const shed = new Counter({
    name: 'tianguis_http_requests_shed_total',
    help: 'Requests that were refused because the process was overloaded',
    registers: [registry],
  });
  return {
    limitReached: (limit) => exceeded.inc({ limit }),
    requestEnded: measureRequests(registry),
    requestShed: () => shed.inc(),
  };
}
