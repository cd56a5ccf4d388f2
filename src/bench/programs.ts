/** The measured programs, each in a process of its own with a gauge in it. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../drill/books.js';
import { freePort } from '../drill/programs.js';
import { startable } from '../drill/startable.js';
import { ask } from './ask.js';
import type { Reading } from './gauge.js';

export interface Measured extends AsyncDisposable {
  readonly url: string;
  read(): Promise<Reading>;
}

export interface MeasuredShop extends Measured {
  readonly databaseUrl: string;
  readonly service: Measured;
  /** How many payment pages the service opened. */
  sessions(): Promise<number>;
  /** The payment pages that the service opened, the oldest first. */
  opened(): Promise<readonly Opened[]>;
  /** Other processes of the same shop. */
  readonly others: readonly Measured[];
  /** From the start of the program to its first page, in milliseconds. */
  readonly firstPageMs: number;
}

export interface Opened {
  readonly id: string;
  readonly returnUrl: string;
}

export interface ShopOptions {
  readonly delayMs?: number;
  /** Whether the shoppers have paid when the service is asked. */
  readonly paid?: boolean;
  /** A PostgreSQL server; absent: the embedded database. */
  readonly server?: string | undefined;
  readonly shops?: number;
  /** Fills the database before the shop is started. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
}

const GAUGE = fileURLToPath(new URL('gauge.js', import.meta.url));
export const DESK_PASSWORD = 'the desk password of the bench';
const WEBHOOK_TOKEN = 'the-webhook-token-of-the-bench';
export const WEBHOOK_HEADERS = {
  Authorization: `Bearer ${WEBHOOK_TOKEN}`,
  'Content-Type': 'application/json',
} as const;
/** What programs need to run at all, and no setting of whoever runs the bench. */
let environment: Readonly<Record<string, string>> = {};

export function useEnvironment(given: Readonly<Record<string, string>>): void {
  environment = given;
}

interface Program {
  readonly name: string;
  readonly script: string;
  readonly port: number;
  readonly health: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

async function start(folder: string, program: Program): Promise<Measured & { readonly startedInMs: number }> {
  const gaugePort = await freePort();
  const env = { ...environment, ...program.env, PORT: String(program.port), GAUGE_PORT: String(gaugePort) };
  const running = startable(folder, { ...program, env });
  const startedAt = performance.now();
  await running.start({ options: ['--import', GAUGE], ...(program.args && { args: program.args }) });
  return {
    url: `http://127.0.0.1:${program.port}`,
    startedInMs: performance.now() - startedAt,
    read: () => ask<Reading>(`http://127.0.0.1:${gaugePort}/`),
    [Symbol.asyncDispose]: () => running.kill(),
  };
}

/** One of the programs that the shop is compared with; it sends these bytes. */
export async function startBaseline(kind: 'raw' | 'bare' | 'usual', page: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-bench-'));
  const program = await start(folder, {
    ...{ name: kind, script: 'bench/baselines.js', port: await freePort(), health: '/', args: [kind] },
    env: { PAGE: page },
  });
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The built shop with everything on but the limits of attempts, before a service that answers at once or late. */
export async function startShop({
  delayMs = 0,
  paid = false,
  server,
  shops = 1,
  prepare,
}: ShopOptions = {}): Promise<MeasuredShop> {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-bench-'));
  const database = await createDatabase(server, folder);
  const databaseUrl = database.url;
  await prepare?.(databaseUrl);
  const servicePort = await freePort();
  const service = await start(folder, {
    ...{ name: 'service', script: 'bench/service.js', port: servicePort, health: '/sessions' },
    env: { DELAY_MS: String(delayMs), ...(paid && { PAID: 'yes' }) },
  });
  const publicPort = await freePort();
  const ports = [publicPort, ...(await Promise.all(Array.from({ length: shops - 1 }, () => freePort())))];
  const env = settingsOf({ servicePort, publicPort, databaseUrl });
  const started: (Measured & { readonly startedInMs: number })[] = [];
  for (const [index, port] of ports.entries()) {
    started.push(await start(folder, { name: `shop-${index}`, script: 'main.js', port, health: '/', env }));
  }
  const [first, ...others] = started;
  if (!first) throw new Error('a bench needs a shop');
  return {
    ...first,
    ...{ others, service, databaseUrl, firstPageMs: first.startedInMs },
    sessions: async () => (await ask<{ readonly count: number }>(`${service.url}/sessions`)).count,
    opened: () => ask<readonly Opened[]>(`${service.url}/sessions/all`),
    async [Symbol.asyncDispose]() {
      for (const program of [...started, service]) await program[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf({
  servicePort,
  publicPort,
  databaseUrl,
}: {
  readonly servicePort: number;
  readonly publicPort: number;
  readonly databaseUrl: string;
}): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://localhost:${publicPort}`,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    PAYMENTS_BASE_URL: `http://127.0.0.1:${servicePort}`,
    CHECKOUT_API_URL: `http://localhost:${servicePort}`,
    PAYMENTS_API_KEY: `bench_${randomBytes(16).toString('hex')}`,
    TOKENIZER_URL: `http://localhost:${servicePort}/vault`,
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
    ADMIN_PASSWORD: DESK_PASSWORD,
    ATTEMPT_LIMITS: 'off',
  };
}
