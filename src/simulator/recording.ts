/** Reads a recording of exchanges with the service; docs/running.md has its format. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Call } from './faults.js';

const callNames = {
  'create-session': 'create-session',
  'read-session': 'read-session',
  'process-payment': 'process',
  'read-transaction': 'read-transaction',
  'access-token': 'tokenization-auth',
} as const satisfies Readonly<Record<string, Call>>;

const headers = z.record(z.string(), z.string());
const status = z.int().min(200).max(599);
const size = z.int().min(0);

const answer = z
  .object({ status, headers, bytes: size, json: z.unknown().optional(), text: z.string().optional() })
  .refine(
    ({ json, text }) => (json === undefined) !== (text === undefined),
    'has json or text, and not both',
  );

const schema = z
  .object({
    v: z.literal(1, 'is of another version'),
    at: z.iso.datetime().transform((text) => Date.parse(text)),
    call: z
      .enum(Object.keys(callNames) as [keyof typeof callNames])
      .transform((name): Call => callNames[name]),
    ms: z.number().min(0),
    request: z.object({ id: z.string().optional(), body: z.unknown().optional() }),
    answer: answer.optional(),
    fault: z.object({ code: z.enum(['unreachable', 'timeout', 'connection_lost', 'bad_answer']) }).optional(),
  })
  .refine(
    ({ answer, fault }) => (answer === undefined) !== (fault === undefined),
    'has answer or fault, and not both',
  );

/** One recorded exchange: an `answer` with `json` or `text`, or else a `fault`. */
export type RecordedLine = z.infer<typeof schema>;

/** Every whole line in order of time. A torn one is left out; one that is no exchange is an error that names it. */
export function readRecording(path: string): readonly RecordedLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const read = lines.flatMap((text, index) => {
    const json = jsonOf(text);
    if (json === undefined) return [];
    const parsed = schema.safeParse(json);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw new Error(`${path}, line ${index + 1}: ${issue?.path.join('.')} ${issue?.message}`);
  });
  if (read.length === 0) throw new Error(`${path} holds no recorded exchange`);
  return read.sort((one, other) => one.at - other.at);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
