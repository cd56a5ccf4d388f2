/** Gateways that break one rule each: a proxy in front of the simulator that changes requests and answers. */
import { text } from 'node:stream/consumers';
import { openServer } from '../../../../test/support/http.js';
import type { Simulator } from '../../src/simulator/simulator.js';

/** What a gateway answers to a call, as far as the rules read it. */
export interface Answers {
  readonly create: Session;
  readonly read: Session;
  readonly process: Payment;
  readonly transaction: Payment;
}

interface Session {
  readonly status: string;
  readonly transaction_status: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly paid_at: number;
}

interface Payment {
  readonly status: string;
  readonly amount: number;
  readonly created_at: string;
  readonly next_action?: { readonly redirect_to_url: { readonly url: string } };
}

/** Text, unless it is JSON. */
type Body = object | string;

export interface Exchange {
  /** `create`, `read`, `process`, `transaction`, `page` (hosted page) or `bank`. */
  readonly call: string;
  readonly path: string;
  readonly request: Body;
  headers: Record<string, string>;
  /** Absent before the simulator has answered. */
  status?: number;
  body?: Body;
  location?: string | undefined;
}

export interface Rule {
  /** Changes what the simulator gets. */
  readonly before?: (exchange: Exchange) => void;
  /** Changes what the client gets. */
  readonly after?: (exchange: Exchange) => void;
}

const CALLS: readonly (readonly [RegExp, string])[] = [
  [/^POST (?:\/api\/v1)?\/checkout\/v1\/sessions$/, 'create'],
  [/^GET \/checkout\/v1\/sessions\//, 'read'],
  [/^POST \/api\/v1\/process\/$/, 'process'],
  [/^GET \/api\/v1\/transactions\//, 'transaction'],
  [/^POST \/checkout\//, 'page'],
  [/^POST \/bank\//, 'bank'],
];

export async function openFalseGateway(simulator: Simulator, { before, after }: Rule) {
  const server = await openServer(async (req, res) => {
    const sent = await text(req);
    const call = CALLS.find(([pattern]) => pattern.test(`${req.method} ${req.url}`))?.[1] ?? '';
    const isJson = req.headers['content-type'] === 'application/json' && sent !== '';
    const { host, connection, 'content-length': _, ...headers } = req.headers as Record<string, string>;
    const exchange: Exchange = { call, path: req.url ?? '', request: isJson ? JSON.parse(sent) : sent, headers };
    if (call) before?.(exchange);
    const body = isJson ? JSON.stringify(exchange.request) : sent;
    const answer = await fetch(`${simulator.url}${exchange.path}`, {
      method: req.method ?? 'GET',
      headers: exchange.headers,
      redirect: 'manual',
      ...(sent && { body }),
    });
    const received = (await answer.text()).replaceAll(simulator.url, server.url);
    exchange.status = answer.status;
    exchange.location = answer.headers.get('location')?.replaceAll(simulator.url, server.url);
    exchange.body = answer.headers.get('content-type')?.includes('json') ? JSON.parse(received) : received;
    if (call) after?.(exchange);
    const { location } = exchange;
    res.writeHead(exchange.status, { 'Content-Type': 'application/json', ...(location && { Location: location }) });
    res.end(typeof exchange.body === 'string' ? exchange.body : JSON.stringify(exchange.body));
  });
  return server;
}
