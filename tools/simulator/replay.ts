/** Repeated requests: the same `X-Request-Id` gets the stored response. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { ApiError } from './api-error.js';
import type { ApiResponse } from './api-handler.js';
import type { SimulatorState } from './state.js';

/** Returns the stored response of the request id, or creates and stores it. Thrown errors are not stored. */
export function replayOr(
  state: SimulatorState,
  req: Request,
  body: unknown,
  create: () => ApiResponse,
): ApiResponse {
  const id = req.get('X-Request-Id');
  if (id === undefined) return create();
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const replay = state.replays.get(id);
  if (replay === undefined) return state.replays.save({ id, fingerprint, ...create() });
  if (replay.fingerprint === fingerprint) return replay;
  throw new ApiError({
    status: 422,
    code: 'idempotency_conflict',
    type: 'validation_error',
    message: 'This X-Request-Id was used with another body.',
    details: { 'X-Request-Id': 'belongs to another request' },
  });
}
