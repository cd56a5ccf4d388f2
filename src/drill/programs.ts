/** Child processes of the drill: started, waited for, killed by their own id, and none left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { until } from './crowd.js';

export interface Program {
  isRunning(): boolean;
  /** `SIGKILL` unless told otherwise; resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface Start {
  /** For node: its options, the script, the script's own arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
}

const running = new Set<ChildProcess>();
let over = false;

export function startProgram({ command, cwd, env, logPath }: Start): Program {
  if (over) throw new Error('the drill is over');
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', log, log] });
  closeSync(log);
  running.add(child);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  }).then(() => {
    running.delete(child);
  });
  return {
    isRunning: () => running.has(child),
    signal: (signal) => {
      child.kill(signal);
    },
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await gone;
    },
  };
}

/** For the very end, and for Ctrl-C: at once, without waiting; none is started afterwards. */
export function killAllPrograms(): void {
  over = true;
  for (const child of running) child.kill('SIGKILL');
}

/** Waits until something answers; `false` when the program ended or took too long. */
export async function untilUp(program: Program, answers: () => Promise<boolean>): Promise<boolean> {
  const settled = () =>
    program.isRunning()
      ? answers().catch(() => false)
      : Promise.reject(new Error('the program ended before it answered'));
  return until(settled, { withinMs: 30_000, everyMs: 20 });
}

/** A port of loopback that nobody used a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
