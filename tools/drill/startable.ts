import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange } from '../../test/support/http.js';
import { type Program, startProgram, untilUp } from '../../test/support/programs.js';

/** A program of a stage that can be killed and restarted. */
export interface Shop {
  readonly url: string;
  /** `options` (node options) and `env` apply to this start only. `args` are passed to the program. */
  start(extra?: {
    readonly options?: readonly string[];
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  }): Promise<void>;
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** Returns the output of the program. */
  log(): string;
}

interface Startable {
  readonly name: string;
  /** Path below the folder of the built programs. */
  readonly script: string;
  readonly port: number;
  /** Path that answers 200 when the program is ready. */
  readonly health: string;
  readonly env: Readonly<Record<string, string>>;
}

const HEALTH_MS = 2_000;

/** Creates a program that can be started several times. Its working directory is its own folder below `folder`. */
export function startable(folder: string, { name, script, port, health, env }: Startable): Shop {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const url = `http://localhost:${port}`;
  const logPath = join(folder, `${name}.log`);
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  let program: Program | undefined;
  return {
    url,
    async start({ options = [], args = [], env: more = {} } = {}) {
      const command = [...options, path, ...args];
      program = startProgram({ command, cwd, env: { ...env, ...more }, logPath });
      const up = await untilUp(
        program,
        async () => (await exchange(url, health, { timeoutMs: HEALTH_MS })).status === 200,
      );
      if (!up) throw new Error(`${name} does not answer: ${readFileSync(logPath, 'utf8').slice(-400)}`);
    },
    async kill() {
      await program?.kill();
    },
    signal: (signal) => program?.signal(signal),
    isRunning: () => program?.isRunning() ?? false,
    log: () => readFileSync(logPath, 'utf8'),
  };
}
