/** What the requests and answers of the second gateway share: forms, basic authentication, and errors with status 200. */
import { z } from 'zod';
import type { GatewaySettings } from '../../../src/gateway/connection.js';
import { type GatewayCall, GatewayError, type GatewayErrorCode } from '../../../src/gateway/errors.js';
import type { GatewayResponse } from '../../../src/gateway/read-response.js';

type Key = Pick<GatewaySettings, 'apiKey'>;

const credentials = ({ apiKey }: Key) => ({ Authorization: `Basic ${btoa(`${apiKey}:`)}` });

/** Returns a request that posts a form. */
export function post(settings: Key, path: string, fields: Readonly<Record<string, string>>) {
  const headers = { ...credentials(settings), 'Content-Type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() } as const;
}

export function get(settings: Key, path: string) {
  return { method: 'GET', path, headers: credentials(settings) } as const;
}

const problemSchema = z.object({ ok: z.literal(false), problem: z.string() });

/** The published problems that prove that the request had no effect. After any other the gateway may have acted. */
const PROBLEMS: Readonly<Record<string, GatewayErrorCode>> = { no_such_token: 'not_found', invalid_field: 'refused' };

/** Throws {@link GatewayError} if the answer is a problem, which has status 200 too. */
export function refuseProblem(call: GatewayCall, { status, json }: GatewayResponse): void {
  const { data } = problemSchema.safeParse(json);
  if (data) throw new GatewayError({ call, status, code: PROBLEMS[data.problem] ?? 'server_error' });
}
