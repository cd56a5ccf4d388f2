/** Request bodies and a small client for the simulator's tests. Each test starts its own simulator. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { openServer } from '../../../../test/support/http.js';
import type { SimulatorOptions } from '../../src/simulator/settings.js';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.js';

export const apiKey = 'test_key_of_a_test';

export const cards = {
  success: '4000000000000077',
  authorized: '4456540000000063',
  declined: '5451951574925480',
  insufficient: '4349001210846432',
  challenge: '4456528080389860',
  challengeDeclined: '4444444444444455',
  processingError: '4574441215190335',
} as const;

const returnUrl = 'https://shop.example/back?a=1';

/** Starts a simulator on a free port. */
export async function start(options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  return await startSimulator({ port: 0, apiKey, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: a wrong field fails the test.
type Json = any;

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Makes one call with the valid API key, unless a header replaces it. */
export async function call(sim: Simulator, route: string, { body, headers }: CallOptions = {}) {
  const [method = 'GET', path = '/'] = route.split(' ');
  const response = await fetch(sim.url + path, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Token ${apiKey}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const json: Json = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body: json };
}

/** Loads a page like a browser without scripts. With a form it sends a POST request. */
export async function page(sim: Simulator, path: string, form?: Record<string, string>, language = 'es') {
  const response = await fetch(new URL(path, sim.url), {
    redirect: 'manual',
    headers: { 'Accept-Language': language },
    ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, headers: response.headers, location, text: await response.text() };
}

/** Returns a valid create-session body with changes. */
export function sessionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customer: { first_name: 'Eva', last_name: 'Ruíz', email: 'eva@example.com' },
    amount_total: 24_990,
    currency: 'MXN',
    line_items: [{ name: 'Rebozo', quantity: 1, unit_price: 24_990, product_id: 'rebozo' }],
    // The gateway accepts a reference once.
    external_id: `ORD-${randomUUID()}`,
    return_url: returnUrl,
    ...changes,
  };
}

/** Returns a valid process body with tokens of this card. */
export function paymentBody(sim: Simulator, card: string = cards.success, changes: Record<string, unknown> = {}) {
  return {
    operation_type: 'payment',
    amount: 249.9,
    currency: 'MXN',
    customer: { name: 'Eva Ruíz', email: 'eva@example.com' },
    payment_method: { type: 'CARD', ...sim.control.tokenizeCard(card) },
    client_reference: 'ORD-1',
    return_url: returnUrl,
    ...changes,
  };
}

export async function createSession(sim: Simulator, changes: Record<string, unknown> = {}): Promise<Json> {
  return (await call(sim, 'POST /checkout/v1/sessions', { body: sessionBody(changes) })).body;
}

export async function readSession(sim: Simulator, id: string): Promise<Json> {
  return (await call(sim, `GET /checkout/v1/sessions/${id}`)).body;
}

export async function createPayment(sim: Simulator, card: string = cards.success): Promise<Json> {
  return (await call(sim, 'POST /api/v1/process/', { body: paymentBody(sim, card) })).body;
}

export async function readPayment(sim: Simulator, id: string): Promise<Json> {
  return (await call(sim, `GET /api/v1/transactions/${id}/`)).body;
}

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Json }[];
}

/** Starts a webhook receiver. It answers with these statuses in order and then with 200. */
export async function startReceiver(...statuses: number[]): Promise<WebhookReceiver> {
  const received: WebhookReceiver['received'] = [];
  const server = await openServer(async (req, res) => {
    received.push({ headers: req.headers, body: await json(req) });
    res.writeHead(statuses.shift() ?? 200).end();
  });
  return { ...server, url: `${server.url}/hooks`, received };
}
