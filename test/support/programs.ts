/** Child processes of tests and the drill: start, wait, kill by process id. No process remains at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
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

/** Below the range from which Linux takes the ports of outgoing connections, so no connection takes a free one. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/** Returns a random free loopback port. Throws if none is found after 100 tries. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port found');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
