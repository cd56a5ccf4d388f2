/** Webhook deliveries: three attempts, each with the configured credentials. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallLog } from './call-log.js';
import type { WebhookAuth } from './model.js';
import { credentialScheme } from './redact.js';
import type { Settings, SimulatorOptions } from './settings.js';

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
  readonly at: number;
  readonly state: 'waiting' | 'delivered' | 'failed' | 'not-sent';
  /** `result`: the HTTP status, or why there is none. */
  readonly attempts: readonly { readonly at: number; readonly result: number | string }[];
}

const maxAttempts = 3;
const maxDeliveries = 1_000;
const timeoutMs = 30_000;
const defaultRetryDelayMs = 60_000;

/** The parts of the simulator's state that deliveries need. */
interface Sender {
  readonly options: SimulatorOptions;
  readonly settings: Settings;
  readonly calls: CallLog;
  readonly shutdown: AbortController;
  now(): number;
}

/** Sends webhook events and stores the last 1,000 deliveries. */
export class Webhooks {
  readonly #state: Sender;
  readonly #deliveries = new Map<string, Delivery>();

  constructor(state: Sender) {
    this.#state = state;
  }

  emit(event: string, payload: unknown): void {
    const { options, settings } = this.#state;
    const state = settings.webhooks === 'off' || options.webhook === undefined ? 'not-sent' : 'waiting';
    const copies = state === 'waiting' && settings.webhooks === 'duplicate' ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const delivery: Delivery = {
        id: randomUUID(),
        event,
        payload,
        at: this.#state.now(),
        state,
        attempts: [],
      };
      // Rejects only at shutdown, because an attempt stores its own failure.
      this.#deliver(this.#store(delivery)).catch(() => undefined);
    }
  }

  deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  /** Makes one attempt now, in any state of the delivery. Throws when the id is unknown. */
  async sendAgain(id: string): Promise<Delivery> {
    const delivery = this.#deliveries.get(id);
    if (delivery === undefined) throw new Error(`no such delivery: ${id}`);
    return await this.#attempt(delivery);
  }

  async #deliver(first: Delivery): Promise<void> {
    let delivery = first;
    if (delivery.state === 'waiting' && this.#state.settings.webhooks === 'late') await this.#retryDelay();
    while (delivery.state === 'waiting') {
      if (delivery.attempts.length > 0) await this.#retryDelay();
      delivery = await this.#attempt(delivery);
    }
  }

  async #attempt(delivery: Delivery): Promise<Delivery> {
    const result = await this.#post(delivery);
    const attempts = [...delivery.attempts, { at: this.#state.now(), result }];
    const accepted = typeof result === 'number' && result >= 200 && result < 300;
    const refused = attempts.length < maxAttempts ? 'waiting' : 'failed';
    return this.#store({ ...delivery, attempts, state: accepted ? 'delivered' : refused });
  }

  async #post({ event, payload }: Delivery): Promise<number | string> {
    const { calls, options, shutdown } = this.#state;
    if (options.webhook === undefined) return 'no address';
    const { url, auth } = options.webhook;
    const body = JSON.stringify(payload);
    const finish = calls.start({
      kind: 'webhook',
      event,
      at: this.#state.now(),
      method: 'POST',
      path: new URL(url).pathname,
      headers: { 'content-type': 'application/json', ...loggedCredentials(auth) },
      requestBody: body,
    });
    const headers = { 'content-type': 'application/json', ...credentials(auth) };
    const signal = AbortSignal.any([shutdown.signal, AbortSignal.timeout(timeoutMs)]);
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

  #store(delivery: Delivery): Delivery {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.keys();
    if (this.#deliveries.size > maxDeliveries && oldest !== undefined) this.#deliveries.delete(oldest);
    return delivery;
  }

  async #retryDelay(): Promise<void> {
    const { options, shutdown } = this.#state;
    const delayMs = options.webhookRetryDelayMs ?? defaultRetryDelayMs;
    await sleep(delayMs, undefined, { signal: shutdown.signal, ref: false });
  }
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

function loggedCredentials(auth: WebhookAuth): Readonly<Record<string, string>> {
  const entries = Object.entries(credentials(auth));
  return Object.fromEntries(entries.map(([name, value]) => [name, credentialScheme(value)]));
}
