// Starts the built shop and a simulator in a temporary directory, for scripts that open pages of the shop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../dist/tools/dev/start-shop.js', import.meta.url));

export const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Resolves when shop and simulator respond. `close` stops both and removes their directory. */
export async function openStage({ shopPort, simulatorPort, settings = {} }) {
  const directory = mkdtempSync(join(tmpdir(), 'tianguis-stage-'));
  const ports = { PORT: String(shopPort), SIMULATOR_PORT: String(simulatorPort) };
  const program = spawn(process.execPath, [script], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...ports, LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  program.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  // The first output is the greeting, which lists the addresses of both.
  await once(program.stdout, 'data');
  return {
    shopUrl: `http://localhost:${shopPort}`,
    simulatorUrl: `http://localhost:${simulatorPort}`,
    directory,
    close: () => program.kill(),
  };
}
