/** Writes exchanges with the service down, redacted, for a fault to be played again elsewhere. */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { EventLog } from '../../core/event-log.js';
import { faultName } from '../../core/fault-name.js';
import type { RedirectRules } from '../../core/redirect.js';
import type { SeenExchange, Witness } from '../exchange.js';
import { createPseudonyms } from './pseudonyms.js';
import { recordedLine } from './recorded-line.js';

export interface RecorderOptions {
  /** A file to which lines are added; made when it is not there, in a folder that is. */
  readonly path: string;
  /** Behind the pseudonyms of ids: the same for all processes whose recordings belong together. */
  readonly pseudonymSecret: string;
  /** Never written, wherever they stand. */
  readonly secrets: readonly string[];
  readonly pages: RedirectRules;
  readonly log: EventLog;
  readonly mostBytes?: number;
}

export interface Recorder {
  /** Takes an exchange and comes back at once. Never throws: what cannot be written is left out, and that is logged. */
  readonly witness: Witness;
  /** Resolves when everything that was taken is written, or could not be. */
  settled(): Promise<void>;
}

/** A recording that is full waits until somebody moves it away. */
const MOST_BYTES = 64 * 1024 * 1024;
/** More than a disk ever keeps waiting that still works. */
const MOST_WAITING = 500;
/** Few enough that no payment waits while they are redacted. */
const BATCH = 8;

export function createRecorder(options: RecorderOptions): Recorder {
  const discretion = {
    pseudonyms: createPseudonyms(options.pseudonymSecret),
    secrets: options.secrets,
    pages: options.pages,
  };
  const waiting: SeenExchange[] = [];
  const trouble = onceUntilWell(options.log);
  const sheet = { path: options.path, mostBytes: options.mostBytes ?? MOST_BYTES };
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await setImmediate();
      try {
        const lines = waiting.splice(0, BATCH).map((seen) => recordedLine(seen, discretion));
        trouble(await addLines(lines.join(''), sheet));
      } catch (error) {
        trouble(faultName(error));
      }
    }
    writing = undefined;
  }

  return {
    witness(seen) {
      if (waiting.length >= MOST_WAITING) return trouble('too_slow');
      waiting.push(seen);
      writing ??= writeAll();
    },
    settled: async () => writing,
  };
}

/** Logs a trouble once, and again only after it was over. */
function onceUntilWell(log: EventLog): (reason: string | undefined) => void {
  let told: string | undefined;
  return (reason) => {
    if (reason !== undefined && reason !== told) log.warn('exchanges_not_recorded', { reason });
    told = reason;
  };
}

interface Sheet {
  readonly path: string;
  readonly mostBytes: number;
}

/**
 * Adds whole lines; brings `full` when there is no room for them. The file is opened each time, so that it may be moved
 * away while the shop runs. A process that died may have left half a line at its end.
 */
async function addLines(lines: string, { path, mostBytes }: Sheet): Promise<'full' | undefined> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    if (size + Buffer.byteLength(lines) > mostBytes) return 'full';
    await file.appendFile((await endsWithALine(file, size)) ? lines : `\n${lines}`);
    return undefined;
  } finally {
    await file.close();
  }
}

async function endsWithALine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}
