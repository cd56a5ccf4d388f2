/** Starts the measured programs as child processes on loopback, and a local gateway. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/db/database.js';

/** Admin password, webhook token and gateway key of every shop of this run. */
export const SECRET = randomUUID();
const makeFolder = () => mkdtempSync(join(tmpdir(), 'tianguis-bench-'));

/** Starts `dist/<script>` with only `settings`, `PORT` and `PATH` as its environment. Disposal kills it and removes `cwd`. */
export async function startProgram(script: string, settings: Record<string, string>, cwd = makeFolder()) {
  const probe = createServer();
  const url = await listen(probe);
  await new Promise((resolve) => probe.close(resolve));
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${script}`, import.meta.url))], {
    ...{ cwd, env: { PATH: process.env['PATH'], ...settings, PORT: new URL(url).port } },
    stdio: ['ignore', openSync(join(cwd, 'log'), 'a'), 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${script} did not start; its log is in ${cwd}`);
    await setTimeout(10);
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const exited = once(child, 'exit');
      if (kill()) await exited;
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

/** Starts the built shop without attempt limits, and its gateway. Uses SQLite without `server`. */
export async function startShop(server?: string, behavior = {}, fill = async (_databaseUrl: string) => {}) {
  const cwd = makeFolder();
  const database = server ? await createSchema(server) : { url: `file:${cwd}/shop.db`, drop: async () => {} };
  await fill(database.url);
  const gateway = await startGateway(behavior);
  const settings = {
    ...{ DATABASE_URL: database.url, RATE_LIMIT: 'off' },
    ...{ PAYMENTS_BASE_URL: gateway.url, CHECKOUT_API_URL: gateway.url, PAYMENTS_API_KEY: SECRET },
    ...{ ADMIN_PASSWORD: SECRET, WEBHOOK_AUTH: `bearer:${SECRET}` },
  };
  const program = await startProgram('src/main.js', settings, cwd);
  return {
    ...{ ...program, gateway },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      gateway.close();
      await database.drop();
    },
  };
}

/** Starts a local gateway that responds after `delayMs`. With `paid`, every lookup returns a paid session. */
async function startGateway({ delayMs = 0, paid = false } = {}) {
  const sessions = new Map<string, { return_url: string }>();
  const server = createServer(async (req, res) => {
    const creates = req.method === 'POST';
    const id = creates ? `cs_${randomUUID()}` : (req.url?.split('/').at(-1) ?? '');
    if (creates) sessions.set(id, (await json(req)) as { return_url: string });
    if (delayMs > 0) await setTimeout(delayMs);
    const [status, transaction_status] = paid && !creates ? ['completed', 'Success'] : ['pending', 'Pending'];
    const page = `${url}/checkout/${id}`;
    const body = { ...sessions.get(id), id, status, transaction_status, currency: 'MXN', url: page };
    res.writeHead(creates ? 201 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  const url = await listen(server);
  return { url, sessions, close: () => server.close().closeAllConnections() };
}

/** Creates a temporary schema on the PostgreSQL server. */
async function createSchema(server: string) {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name}`);
  const { queries } = openDatabase(server, () => {});
  await queries.schema.createSchema(name).execute();
  const drop = async () => {
    await queries.schema.dropSchema(name).cascade().execute();
    await queries.destroy();
  };
  return { url: url.href, drop };
}

/** Listens on a free port and returns the URL. */
async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
