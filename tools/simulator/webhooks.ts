/** Webhook deliveries: three attempts, each with the configured credentials. */
import { randomUUID } from 'node:crypto';
import type { Exchanges } from './exchanges.js';
import { schemeOf } from './redact.js';

export type WebhookAuth =
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  | { readonly scheme: 'none' };

export const webhookModes = ['on', 'off', 'duplicate', 'late'] as const;
export type WebhookMode = (typeof webhookModes)[number];

export interface WebhookEvent {
  readonly name: string;
  readonly payload: unknown;
}

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
  readonly at: number;
  readonly state: 'waiting' | 'delivered' | 'failed' | 'not-sent';
  readonly attempts: readonly DeliveryAttempt[];
}

interface DeliveryAttempt {
  readonly at: number;
  /** The HTTP status, or why there was none. */
  readonly result: number | string;
}

export interface WebhookOptions {
  readonly url: string | undefined;
  readonly auth: WebhookAuth;
  readonly retryDelayMs: number;
  readonly now: () => number;
  readonly exchanges: Exchanges;
}

const attemptsInTotal = 3;
const timeoutMs = 30_000;
const kept = 1_000;

/** Queue of webhook deliveries. */
export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #stop = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  mode: WebhookMode = 'on';
  url: string | undefined;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.url = options.url;
  }

  emit(event: WebhookEvent): void {
    const delivery = this.#keep({
      id: randomUUID(),
      event: event.name,
      payload: event.payload,
      at: this.#options.now(),
      state: this.mode === 'off' || this.url === undefined ? 'not-sent' : 'waiting',
      attempts: [],
    });
    if (delivery.state === 'waiting') this.#dispatch(delivery);
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

  /** Drops waiting deliveries. */
  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #dispatch(delivery: Delivery): void {
    const send = () => this.#sendUntilTaken(delivery);
    if (this.mode === 'late') this.#later(send);
    else this.#run(send);
    if (this.mode === 'duplicate') {
      const copy = this.#keep({ ...delivery, id: randomUUID() });
      this.#run(() => this.#sendUntilTaken(copy));
    }
  }

  async #sendUntilTaken(delivery: Delivery): Promise<void> {
    const sent = await this.#attempt(delivery);
    if (sent.state === 'waiting') this.#later(() => this.#sendUntilTaken(sent));
  }

  async #attempt(delivery: Delivery): Promise<Delivery> {
    const result = await this.#post(delivery);
    const attempts = [...delivery.attempts, { at: this.#options.now(), result }];
    const taken = typeof result === 'number' && result >= 200 && result < 300;
    const untaken = attempts.length < attemptsInTotal ? 'waiting' : 'failed';
    return this.#keep({ ...delivery, attempts, state: taken ? 'delivered' : untaken });
  }

  async #post({ event, payload }: Delivery): Promise<number | string> {
    const { url } = this;
    if (url === undefined) return 'no address';
    const body = JSON.stringify(payload);
    const headers = { 'content-type': 'application/json', ...authHeaders(this.#options.auth) };
    const end = this.#options.exchanges.begin({
      kind: 'webhook',
      event,
      at: this.#options.now(),
      method: 'POST',
      path: new URL(url).pathname,
      headers: redactedHeaders(headers),
      sent: body,
    });
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
      // Only the status counts.
      response.body?.cancel().catch(() => undefined);
      end({ status: response.status, answer: '' });
      return response.status;
    } catch (error) {
      const lost = reasonOf(error);
      end({ lost, answer: '' });
      return lost;
    }
  }

  #keep(delivery: Delivery): Delivery {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.keys();
    if (this.#deliveries.size > kept && oldest !== undefined) this.#deliveries.delete(oldest);
    return delivery;
  }

  #later(task: () => Promise<void>): void {
    if (this.#stop.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#run(task);
    }, this.#options.retryDelayMs);
    timer.unref();
    this.#timers.add(timer);
  }

  #run(task: () => Promise<void>): void {
    // An attempt handles its own failures, so a rejection has no further information.
    task().catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
}

function redactedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      name === 'content-type' ? value : schemeOf(value),
    ]),
  );
}

function authHeaders(auth: WebhookAuth): Record<string, string> {
  switch (auth.scheme) {
    case 'bearer':
      return { Authorization: `Bearer ${auth.token}` };
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}` };
    case 'header':
      return { [auth.name]: auth.value };
    case 'none':
      return {};
  }
}
