/** Child processes of tests and the drill: start, wait until ready, kill by process id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from './crowd.js';
import { exchange } from './http.js';

interface ProgramOptions {
  readonly name: string;
  /** Path of the script that node executes. */
  readonly script: string;
  /** Parent of the working directory and of the log file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The program is ready when `url` answers 200, or when its output since the start contains `output`. */
  readonly ready: { readonly url: string } | { readonly output: string };
}

/** Applies to one start only. */
export interface StartOptions {
  readonly nodeOptions?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const READY_MS = 30_000;
const HEALTH_CHECK_MS = 2_000;
const LAST_LINES = 15;

const running = new Set<ChildProcess>();
let ended = false;

/** A node program that can be started, killed and restarted. All starts append to one log file. */
export class Program implements AsyncDisposable {
  readonly #options: ProgramOptions;
  readonly #logPath: string;
  #child: ChildProcess | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.#logPath = join(options.folder, `${options.name}.log`);
  }

  /** Resolves when the program is ready. Throws with the last lines of its log if it exits or is not ready in time. */
  async start({ nodeOptions = [], args = [], env = {} }: StartOptions = {}): Promise<void> {
    if (ended) throw new Error('no program can be started after killAllPrograms');
    const { name, script, folder, env: settings, ready } = this.#options;
    const cwd = join(folder, name);
    mkdirSync(cwd, { recursive: true });
    const before = this.log().length;
    const log = openSync(this.#logPath, 'a');
    const child = spawn(process.execPath, [...nodeOptions, script, ...args], {
      cwd,
      env: { ...settings, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child = child;
    running.add(child);
    for (const event of ['exit', 'error']) child.once(event, () => running.delete(child));
    const isReady = async () =>
      'url' in ready ? isHealthy(ready.url) : this.log().slice(before).includes(ready.output);
    const isDone = async () => !this.isRunning() || (await isReady());
    const problem = await until(isDone, { withinMs: READY_MS, everyMs: 20 }).then(
      () => (this.isRunning() ? undefined : 'exited before it was ready'),
      () => `was not ready after ${READY_MS / 1000} s`,
    );
    if (problem === undefined) return;
    const lines = this.log().slice(before).trim().split('\n').slice(-LAST_LINES).join('\n');
    throw new Error(`${name} ${problem}:\n${lines}`);
  }

  isRunning(): boolean {
    return this.#child !== undefined && running.has(this.#child);
  }

  /** Sends a signal. Resolves when the process has exited. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || !running.has(child)) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }

  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  /** Returns the output of all starts. */
  log(): string {
    return existsSync(this.#logPath) ? readFileSync(this.#logPath, 'utf8') : '';
  }
}

/** Kills all programs immediately, at exit or on Ctrl-C. No program can be started afterwards. */
export function killAllPrograms(): void {
  ended = true;
  for (const child of running) child.kill('SIGKILL');
}

async function isHealthy(url: string): Promise<boolean> {
  const { origin, pathname } = new URL(url);
  const reply = await exchange(origin, pathname, { timeoutMs: HEALTH_CHECK_MS }).catch(() => undefined);
  return reply?.status === 200;
}

/** Below the range from which Linux takes the ports of outgoing connections, so no connection takes a free one. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/**
 * Returns a random free loopback port, which no other process gets from here before this one ends. Throws if none is found
 * after 100 tries.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if ((await isFree(port)) && (await reserve(port))) return port;
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

/** Takes the UDP port of this number, which nothing else uses. Returns whether it was free. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}
