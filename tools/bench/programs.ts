/** Starts the measured programs as child processes on loopback, and a local gateway. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { projectRoot } from '../../src/project-root.js';
import { freePort, killAllPrograms, Program } from '../../test/support/programs.js';
import { createDatabase } from '../../test/support/temporary-database.js';
import { fillCatalog } from './catalog.js';

process.once('exit', killAllPrograms);
/** Admin password, webhook token and gateway key of every shop of this run. */
export const SECRET = randomUUID();
/** As in Dockerfile and docs/examples/tianguis.service. */
const NODE_OPTIONS = ['--max-old-space-size=512'];
export const makeFolder = () => mkdtempSync(join(tmpdir(), 'tianguis-bench-'));

/** Starts `dist/<script>` with only `settings`, `PORT` and `PATH` as its environment. Disposal kills it and removes `folder`. */
export async function startProgram(script: string, settings: Record<string, string>, folder = makeFolder()) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const program = new Program({
    name: 'program',
    script: join(projectRoot, 'dist', script),
    folder,
    env: { PATH: process.env['PATH'] ?? '', ...settings, PORT: String(port) },
    ready: { url },
  });
  await program.start({ nodeOptions: NODE_OPTIONS });
  return {
    url,
    async [Symbol.asyncDispose]() {
      await program.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the built shop without attempt limits, and its gateway. Uses SQLite without `server`. */
export async function startShop(server?: string, behavior = {}, fill = async (_databaseUrl: string) => {}) {
  const cwd = makeFolder();
  const database = await createDatabase(server, cwd);
  await fillCatalog(database.url);
  await fill(database.url);
  const gateway = await startGateway(behavior);
  const settings = {
    DATABASE_URL: database.url,
    RATE_LIMIT: 'off',
    PAYMENTS_BASE_URL: gateway.url,
    CHECKOUT_API_URL: gateway.url,
    PAYMENTS_API_KEY: SECRET,
    ADMIN_PASSWORD: SECRET,
    WEBHOOK_AUTH: `bearer:${SECRET}`,
  };
  const program = await startProgram('src/main.js', settings, cwd);
  return {
    ...program,
    gateway,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      gateway.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Returns the memory of a shop, in MB. */
export async function residentMegabytes(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20;
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, sessions, close: () => server.close().closeAllConnections() };
}
