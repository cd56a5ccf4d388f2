/** Tells the merchant what happened: three attempts, each with the agreed credentials. */
import { randomUUID } from 'node:crypto';
import { type Beginning, bodyLimit, type Ending, type Exchanges } from './exchanges.js';
import { schemeOf } from './redact.js';

export type WebhookAuth =
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  | { readonly scheme: 'none' };

export const webhookModes = ['on', 'off', 'duplicate', 'late', 'reordered'] as const;
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

export class Webhooks {
  readonly #options: WebhookOptions;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #stop = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();
  #held: Delivery | undefined;
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

  /** One attempt now, whatever became of the earlier ones. */
  async sendAgain(id: string): Promise<Delivery> {
    const delivery = this.#deliveries.get(id);
    if (delivery === undefined) throw new Error(`no such delivery: ${id}`);
    return await this.#attempt(delivery);
  }

  /** Forgets what is still waiting; nothing is sent any more. */
  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #dispatch(delivery: Delivery): void {
    const send = () => this.#sendUntilTaken(delivery);
    if (this.mode === 'late') this.#later(send);
    else if (this.mode === 'reordered') this.#swap(delivery);
    else if (this.mode === 'duplicate')
      this.#run(async () => this.#sendAll([delivery, this.#copy(delivery)]));
    else this.#run(send);
  }

  /** The first of two waits for the second and goes after it; alone, it goes after one retry delay. */
  #swap(delivery: Delivery): void {
    const earlier = this.#held;
    if (earlier !== undefined) {
      this.#held = undefined;
      this.#run(async () => this.#sendAll([delivery, earlier]));
      return;
    }
    this.#held = delivery;
    this.#later(async () => {
      if (this.#held !== delivery) return;
      this.#held = undefined;
      await this.#sendUntilTaken(delivery);
    });
  }

  async #sendAll(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) await this.#sendUntilTaken(delivery);
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
    if (this.url === undefined) return 'no address';
    const body = JSON.stringify(payload);
    const end = this.#options.exchanges.begin(this.#beginning(this.url, event, body));
    const ending = await this.#send(this.url, body);
    end(ending);
    return ending.status ?? ending.lost ?? 'no answer';
  }

  async #send(url: string, body: string): Promise<Ending> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Content-Type': 'application/json', ...authHeaders(this.#options.auth) },
        body,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeoutMs)]),
      });
      return { status: response.status, answer: await beginningOf(response) };
    } catch (error) {
      return { lost: reasonOf(error), answer: '' };
    }
  }

  #beginning(url: string, event: string, sent: string): Beginning {
    return {
      kind: 'webhook',
      event,
      at: this.#options.now(),
      method: 'POST',
      path: URL.canParse(url) ? new URL(url).pathname : '',
      headers: { 'content-type': 'application/json', ...redactedHeaders(authHeaders(this.#options.auth)) },
      sent,
    };
  }

  #copy(delivery: Delivery): Delivery {
    return this.#keep({ ...delivery, id: randomUUID() });
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
    // An attempt answers its own failures, so there is none left to report here.
    task().catch(() => undefined);
  }
}

/** The shop has answered with its status: however its body goes on, that stands. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  try {
    for (let room = bodyLimit; reader !== undefined && room > 0; ) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value.subarray(0, room));
      room -= value.length;
    }
    await reader?.cancel();
  } catch {
    // What came is shown.
  }
  return Buffer.concat(pieces).toString();
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
}

/** All that may be written down of a credential. */
function redactedHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), schemeOf(value)]),
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
