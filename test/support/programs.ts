/** Child processes of tests and the drill: start, wait, kill by process id. No process remains at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { until } from './crowd.js';

export interface Program {
  isRunning(): boolean;
  /** Sends `SIGKILL` by default. Resolves when the process has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface Start {
  /** Arguments of node: its options, the script, the arguments of the script. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
}

const running = new Set<ChildProcess>();
let over = false;

/** Starts a node program with its output appended to `logPath`. Throws after `killAllPrograms`. */
export function startProgram({ command, cwd, env, logPath }: Start): Program {
  if (over) throw new Error('no program can be started after killAllPrograms');
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

/** Kills all programs immediately, at exit or on Ctrl-C. No program can be started afterwards. */
export function killAllPrograms(): void {
  over = true;
  for (const child of running) child.kill('SIGKILL');
}

/** Waits until `answers` returns true. Returns `false` if the program exits or the time limit passes. */
export async function untilUp(program: Program, answers: () => Promise<boolean>): Promise<boolean> {
  const settled = () =>
    program.isRunning()
      ? answers().catch(() => false)
      : Promise.reject(new Error('the program ended before it answered'));
  return until(settled, { withinMs: 30_000, everyMs: 20 });
}

/** Returns a free loopback port. Another process may take it before its use. */
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
