import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange } from './http.js';
import { type Program, startProgram, untilUp } from './programs.js';

/** One program of a stage, which may be killed and started again. */
export interface Shop {
  readonly url: string;
  /** With `options`, node options for this start only; `args` go to the program. */
  start(extra?: { readonly options?: readonly string[]; readonly args?: readonly string[] }): Promise<void>;
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** What it has written to its output. */
  log(): string;
}

interface Startable {
  readonly name: string;
  /** Below the folder of the built program. */
  readonly script: string;
  readonly port: number;
  /** Answers 200 once the program is up. */
  readonly health: string;
  readonly env: Readonly<Record<string, string>>;
}

const HEALTH_MS = 2_000;

/** Each program works in a folder of its own, so that nothing is written beside the built one. */
export function startable(folder: string, { name, script, port, health, env }: Startable): Shop {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const url = `http://localhost:${port}`;
  const logPath = join(folder, `${name}.log`);
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  let program: Program | undefined;
  return {
    url,
    async start({ options = [], args = [] } = {}) {
      program = startProgram({ command: [...options, path, ...args], cwd, env, logPath });
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
