/** Handles one call: records it, then injects a planned fault or sends the endpoint's response. */
import type { Request, RequestHandler } from 'express';
import { ApiError, errorBody, malformed } from './api-error.js';
import type { Call } from './faults.js';
import { injectFault } from './inject-fault.js';
import { recordCall } from './record-call.js';
import type { SimulatorState } from './state.js';

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Returns a response or throws an `ApiError`. The effect of the call happens while it runs. */
export type Endpoint = (state: SimulatorState, req: Request) => ApiResponse;

/** Returns a handler that records the call and applies the next planned fault. */
export function apiHandler(state: SimulatorState, call: Call, endpoint: Endpoint): RequestHandler {
  return async (req, res) => {
    const respond = () => responseOf(state, req, endpoint);
    const fault = state.faults.take(call);
    recordCall(state, { req, res, call, fault });
    if (fault !== undefined) return await injectFault(fault, { state, res, respond });
    const { status, body } = respond();
    res.status(status).json(body);
  };
}

/** Parses the JSON of a request whose body was read as text. */
export function jsonBody(req: Request): unknown {
  if (req.is('application/json') === false) throw malformed('Content-Type must be application/json.');
  try {
    return JSON.parse(String(req.body));
  } catch {
    throw malformed('The body is not JSON.');
  }
}

function responseOf(state: SimulatorState, req: Request, endpoint: Endpoint): ApiResponse {
  try {
    return endpoint(state, req);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.reason.status, body: errorBody(error.reason) };
  }
}
