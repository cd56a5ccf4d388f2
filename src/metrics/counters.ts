/** Counters and histograms of this process. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LOOKUP_BUDGET } from '../checkout/lookup-budget.js';
import { LIMITS, type Observer, WEBHOOK_ANSWERS } from '../checkout/observer.js';
import { TRIGGERS } from '../checkout/trigger.js';
import { ATTEMPT_STATES, ORDER_STATES } from '../domain/order.js';
import { GATEWAY_CALLS, GATEWAY_ERROR_CODES } from '../gateway/errors.js';
import { requestTimes } from './request-times.js';

const PAYMENT_FLOWS = ['hosted', 'card'] as const;
const GATEWAY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 25];

/** Registers the counters. Each known label value starts at zero, so that its first event shows as an increase. */
export function countInto(registry: Registry): Observer {
  return {
    ...countPayments(registry),
    ...countGatewayCalls(registry),
    ...countWorker(registry),
    ...countVisitors(registry),
  };
}

function countPayments(registry: Registry): Pick<Observer, 'attemptChanged' | 'orderChanged'> {
  const attempts = new Counter({
    name: 'tianguis_attempts_total',
    help: 'Attempts to pay that came into a state',
    labelNames: ['flow', 'state'],
    registers: [registry],
  });
  const moves = new Counter({
    name: 'tianguis_order_transitions_total',
    help: 'Orders that an answer of the gateway moved, by where to and by what made the shop look',
    labelNames: ['to', 'trigger'],
    registers: [registry],
  });
  for (const flow of PAYMENT_FLOWS) for (const state of ATTEMPT_STATES) attempts.inc({ flow, state }, 0);
  for (const to of ORDER_STATES) for (const trigger of TRIGGERS) moves.inc({ to, trigger }, 0);
  return {
    attemptChanged: (flow, state) => attempts.inc({ flow, state }),
    orderChanged: (to, trigger) => moves.inc({ to, trigger }),
  };
}

function countGatewayCalls(registry: Registry): Pick<Observer, 'gatewayCalled' | 'webhookAnswered'> {
  const times = new Histogram({
    name: 'tianguis_gateway_call_duration_seconds',
    help: 'Calls to the payment service, each with all its retries',
    labelNames: ['call'],
    buckets: GATEWAY_BUCKETS,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'tianguis_gateway_call_errors_total',
    help: 'Calls to the payment service that failed in the end',
    labelNames: ['call', 'code'],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'tianguis_webhooks_total',
    help: 'Messages of the payment service, by how they were answered',
    labelNames: ['answer'],
    registers: [registry],
  });
  for (const call of GATEWAY_CALLS) {
    times.zero({ call });
    for (const code of GATEWAY_ERROR_CODES) errors.inc({ call, code }, 0);
  }
  for (const answer of WEBHOOK_ANSWERS) webhooks.inc({ answer }, 0);
  return {
    gatewayCalled(call, ms, code) {
      times.observe({ call }, ms / 1000);
      if (code) errors.inc({ call, code });
    },
    webhookAnswered: (answer) => webhooks.inc({ answer }),
  };
}

function countWorker(registry: Registry): Pick<Observer, 'lookupRequested' | 'workerRan'> {
  const lookups = new Counter({
    name: 'tianguis_worker_lookups_total',
    help: 'Lookups that the worker wanted to make, by whether its budget of the minute allowed them',
    labelNames: ['flow', 'budget'],
    registers: [registry],
  });
  const budget = new Gauge({
    name: 'tianguis_worker_lookup_budget',
    help: 'Lookups that all processes together may make in a minute',
    labelNames: ['flow'],
    registers: [registry],
  });
  const turns = new Counter({
    name: 'tianguis_worker_runs_total',
    help: 'Turns of the background work of this process',
    labelNames: ['result'],
    registers: [registry],
  });
  const lastRun = new Gauge({
    name: 'tianguis_worker_last_run_seconds',
    help: 'How long the last turn of the background work took',
    registers: [registry],
  });
  for (const flow of PAYMENT_FLOWS) {
    budget.set({ flow }, LOOKUP_BUDGET[flow]);
    for (const word of ['within', 'beyond']) lookups.inc({ flow, budget: word }, 0);
  }
  for (const result of ['done', 'failed']) turns.inc({ result }, 0);
  return {
    lookupRequested: (flow, allowed) => lookups.inc({ flow, budget: allowed ? 'within' : 'beyond' }),
    workerRan(ms, well) {
      lastRun.set(ms / 1000);
      turns.inc({ result: well ? 'done' : 'failed' });
    },
  };
}

function countVisitors(registry: Registry): Pick<Observer, 'limitReached' | 'requestEnded' | 'requestShed'> {
  const passed = new Counter({
    name: 'tianguis_rate_limit_exceeded_total',
    help: 'Tries that were refused because there had been too many, by the limit',
    labelNames: ['limit'],
    registers: [registry],
  });
  for (const limit of LIMITS) passed.inc({ limit }, 0);
  const shed = new Counter({
    name: 'tianguis_http_requests_shed_total',
    help: 'Requests that were refused because the process was crowded',
    registers: [registry],
  });
  return {
    limitReached: (limit) => passed.inc({ limit }),
    requestEnded: requestTimes(registry),
    requestShed: () => shed.inc(),
  };
}
