/** Webhook deliveries: three attempts, each with the configured credentials. The last 1,000 are stored. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery, WebhookAuth } from './model.js';
import { credentialScheme } from './redact.js';
import type { SimulatorState } from './state.js';

const maxAttempts = 3;
const maxDeliveries = 1_000;
const timeoutMs = 30_000;
const defaultRetryDelayMs = 60_000;

/** Sends an event in the background, as the settings say: not at all, once or twice. */
export function emitWebhook(state: SimulatorState, event: string, payload: unknown): void {
  const { webhooks } = state.settings;
  const isSent = webhooks !== 'off' && state.options.webhook !== undefined;
  for (let copies = isSent && webhooks === 'duplicate' ? 2 : 1; copies > 0; copies -= 1) {
    const delivery = store(state, {
      id: state.uuid(),
      event,
      payload,
      at: state.now(),
      state: isSent ? 'waiting' : 'not-sent',
      results: [],
    });
    // Rejects only at shutdown, because an attempt stores its own failure.
    deliver(state, delivery).catch(() => undefined);
  }
}

/** Makes one attempt now, in any state of the delivery. Throws when the id is unknown. */
export async function sendAgain(state: SimulatorState, id: string): Promise<Delivery> {
  const delivery = state.deliveries.get(id);
  if (delivery === undefined) throw new Error(`no such delivery: ${id}`);
  return await attempt(state, delivery);
}

async function deliver(state: SimulatorState, first: Delivery): Promise<void> {
  const { options, settings, shutdown } = state;
  const delayMs = options.webhookRetryDelayMs ?? defaultRetryDelayMs;
  let delivery = first;
  while (delivery.state === 'waiting') {
    if (delivery.results.length > 0 || settings.webhooks === 'late')
      await sleep(delayMs, undefined, { signal: shutdown.signal, ref: false });
    delivery = await attempt(state, delivery);
  }
}

async function attempt(state: SimulatorState, delivery: Delivery): Promise<Delivery> {
  const result = await post(state, delivery);
  const results = [...delivery.results, result];
  const accepted = typeof result === 'number' && result >= 200 && result < 300;
  const refused = results.length < maxAttempts ? 'waiting' : 'failed';
  return store(state, { ...delivery, results, state: accepted ? 'delivered' : refused });
}

async function post(state: SimulatorState, { event, payload }: Delivery): Promise<number | string> {
  const { webhook } = state.options;
  if (webhook === undefined) return 'no address';
  const { url, auth } = webhook;
  const body = JSON.stringify(payload);
  const secret = credentials(auth);
  const hidden = Object.entries(secret).map(([name, value]) => [name, credentialScheme(value)]);
  const finish = state.calls.start({
    kind: 'webhook',
    event,
    at: state.now(),
    method: 'POST',
    path: new URL(url).pathname,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(hidden) },
    requestBody: body,
  });
  const headers = { 'content-type': 'application/json', ...secret };
  const signal = AbortSignal.any([state.shutdown.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    // Only the status counts.
    response.body?.cancel().catch(() => undefined);
    finish({ status: response.status, body: '' });
    return response.status;
  } catch (error) {
    const failure = reasonOf(error);
    finish({ failure, body: '' });
    return failure;
  }
}

function store({ deliveries }: SimulatorState, delivery: Delivery): Delivery {
  deliveries.set(delivery.id, delivery);
  const [oldest] = deliveries.keys();
  if (deliveries.size > maxDeliveries && oldest !== undefined) deliveries.delete(oldest);
  return delivery;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no response';
}

function credentials(auth: WebhookAuth): Readonly<Record<string, string>> {
  switch (auth.scheme) {
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}` };
    case 'header':
      return { [auth.name.toLowerCase()]: auth.value };
    case 'none':
      return {};
  }
}
