/** A recording in a folder of its own. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog, LogFields } from '../../src/core/event-log.js';
import { createRecorder, type Recorder, type RecorderOptions } from '../../src/gateway/recording/recorder.js';

export interface TestRecording extends AsyncDisposable {
  readonly path: string;
  /** All of it, as text. */
  text(): string;
  /** Its lines, as JSON. */
  lines(): readonly Line[];
}

// biome-ignore lint/suspicious/noExplicitAny: lines are examined, not trusted; a wrong member fails the test.
export type Line = any;

export async function newRecording(): Promise<TestRecording> {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-recording-'));
  const path = join(directory, 'exchanges.jsonl');
  const text = () => readFileSync(path, 'utf8');
  return {
    path,
    text,
    lines: () =>
      text()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    async [Symbol.asyncDispose]() {
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The real recorder, with what it logged. */
export function recorderFor(
  path: string,
  options: Partial<RecorderOptions> = {},
): Recorder & { readonly logged: readonly string[] } {
  const logged: string[] = [];
  const note = (event: string, fields?: LogFields) => {
    logged.push(`${event} ${fields?.reason ?? ''}`);
  };
  const log: EventLog = { info: note, warn: note, error: note, with: () => log };
  const recorder = createRecorder({
    path,
    pseudonymSecret: 'a secret of these tests',
    secrets: [],
    pages: { origins: ['https://pay.example'], allowLoopbackHttp: true },
    log,
    ...options,
  });
  return { ...recorder, logged };
}
