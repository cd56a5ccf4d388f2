/** Handles one call: records it, then injects a planned fault or sends the endpoint's response. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError, errorBody, malformed } from './api-error.js';
import { requireApiKey } from './authentication.js';
import type { Call, Fault } from './faults.js';
import { injectFault } from './inject-fault.js';
import { credentialScheme } from './redact.js';
import type { SimulatorState } from './state.js';
import { redactCardFields } from './tokenizer.js';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Returns a response or throws an `ApiError`. The effect of the call happens while it runs. */
export type Endpoint = (state: SimulatorState, req: Request) => ApiResponse;

export function apiHandler(state: SimulatorState, call: Call, endpoint: Endpoint): RequestHandler {
  return async (req, res) => {
    const respond = () => responseOf(call, endpoint, state, req);
    const fault = state.faults.take(call);
    recordCall(state, { req, res, call, fault });
    if (fault !== undefined) return await injectFault(fault, { state, res, respond });
    const { status, body } = respond();
    res.status(status).json(body);
  };
}

export function jsonBody(req: Request): unknown {
  if (req.is('application/json') === false) throw malformed('Content-Type must be application/json.');
  try {
    return JSON.parse(String(req.body));
  } catch {
    throw malformed('The body is not JSON.');
  }
}

function responseOf(call: Call, endpoint: Endpoint, state: SimulatorState, req: Request): ApiResponse {
  try {
    // Browsers call the tokenizer, with an access token instead of the key.
    if (call !== 'tokenize') requireApiKey(state, req);
    return endpoint(state, req);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(error) };
  }
}

interface RecordedRequest {
  readonly req: Request;
  readonly res: Response;
  readonly call?: Call;
  readonly fault?: Fault | undefined;
}

const credentialHeaders: readonly string[] = ['authorization', 'x-skyflow-authorization', 'cookie'];

/** Must run before any part of the response is sent. Bodies that a fault streams are not recorded. */
export function recordCall(state: SimulatorState, { req, res, call, fault }: RecordedRequest): void {
  const text = typeof req.body === 'string' ? req.body : '';
  const headers = Object.entries(req.headers).map(([name, value]) => {
    return [name, credentialHeaders.includes(name) ? credentialScheme(String(value)) : String(value)];
  });
  const finish = state.calls.start({
    kind: 'call',
    call,
    at: state.now(),
    method: req.method,
    path: req.originalUrl,
    headers: Object.fromEntries(headers),
    requestBody: call === 'tokenize' ? redactCardFields(text) : text,
    fault,
  });
  let body = '';
  const send = res.send.bind(res);
  res.send = (sent: unknown) => {
    body = String(sent);
    return send(sent);
  };
  res.once('finish', () => finish({ status: res.statusCode, body }));
  res.once('close', () => {
    if (res.headersSent) finish({ status: res.statusCode, failure: 'during', body });
    else finish({ failure: 'before', body: '' });
  });
}
