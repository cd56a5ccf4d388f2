/** Builders and a small client for the simulator's tests; each test starts its own simulator. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Simulator, type SimulatorOptions, startSimulator } from '../simulator.js';

const apiKey = 'test_key_of_a_test';

export const cards = {
  success: '4000000000000077',
  authorized: '4456540000000063',
  declined: '5451951574925480',
  insufficient: '4349001210846432',
  challenge: '4456528080389860',
  challengeDeclined: '4444444444444455',
  processingError: '4574441215190335',
} as const;

/** Starts a simulator on a free port. */
export async function start(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  return await startSimulator({ port: 0, apiKey, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are examined, not trusted; a wrong member fails the test.
type Json = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Sending {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Makes one call with the valid API key, unless a header replaces it. */
export async function call(sim: Simulator, route: string, { body, headers }: Sending = {}): Promise<Reply> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const response = await fetch(sim.url + path, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Token ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Loads a page like a browser without scripts. With a form it sends a POST request. */
export async function page(sim: Simulator, address: string, form?: Record<string, string>) {
  return await pageIn('es', { sim, address, ...(form === undefined ? {} : { form }) });
}

interface Visit {
  readonly sim: Simulator;
  readonly address: string;
  readonly form?: Record<string, string>;
}

/** Loads a page as a browser that prefers this language. */
export async function pageIn(lang: string, { sim, address, form }: Visit) {
  const response = await fetch(new URL(address, sim.url), {
    redirect: 'manual',
    headers: { 'Accept-Language': lang },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    headers: response.headers,
    text: await response.text(),
  };
}

/** Returns a valid create-session body with changes. */
export function sessionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customer: { first_name: 'Eva', last_name: 'Ruíz', email: 'eva@example.com' },
    amount_total: 24_990,
    currency: 'MXN',
    line_items: [{ name: 'Rebozo', quantity: 1, unit_price: 24_990, product_id: 'rebozo' }],
    external_id: 'ORD-1',
    return_url: 'https://shop.example/back?a=1',
    ...changes,
  };
}

/** Returns a valid process body with tokens of this card. */
export function paymentBody(
  sim: Simulator,
  card: string = cards.success,
  changes: Record<string, unknown> = {},
) {
  return {
    operation_type: 'payment',
    amount: 249.9,
    currency: 'MXN',
    customer: { name: 'Eva Ruíz', email: 'eva@example.com' },
    payment_method: { type: 'CARD', ...sim.control.tokenizeCard(card) },
    client_reference: 'ORD-1',
    return_url: 'https://shop.example/back?a=1',
    ...changes,
  };
}

/** Creates a session and returns the response body. */
export async function newSession(sim: Simulator, changes: Record<string, unknown> = {}): Promise<Json> {
  return (await call(sim, 'POST /checkout/v1/sessions', { body: sessionBody(changes) })).body;
}

/** Returns the response body of a session lookup. */
export async function readSession(sim: Simulator, id: string): Promise<Json> {
  return (await call(sim, `GET /checkout/v1/sessions/${id}`)).body;
}

/** Makes a card payment and returns the response body. */
export async function newPayment(sim: Simulator, card: string = cards.success): Promise<Json> {
  return (await call(sim, 'POST /api/v1/process/', { body: paymentBody(sim, card) })).body;
}

/** Returns the response body of a transaction lookup. */
export async function lookup(sim: Simulator, id: string): Promise<Json> {
  return (await call(sim, `GET /api/v1/transactions/${id}/`)).body;
}

/** Returns the body with one member set or, with `undefined`, removed. */
export function put(body: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const target = keys.reduce((inside: Json, key) => inside[key], copy);
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

/** Polls a condition. The time limit of the test ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly heard: Heard[];
}

/** Starts a webhook receiver. It answers with these statuses in order and then with 200. */
export async function receiver(...statuses: number[]): Promise<Receiver> {
  const heard: Heard[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += chunk;
    heard.push({ headers: req.headers, body: JSON.parse(text) });
    res.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/hooks`, heard, [Symbol.asyncDispose]: close };
}
