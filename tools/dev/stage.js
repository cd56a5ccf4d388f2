// Starts the built shop and a simulator in a temporary directory, for scripts that open pages of the shop.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Resolves when shop and simulator respond. `close` stops both and removes their directory. */
export async function openStage({ shopPort, simulatorPort, settings = {} }) {
  const shopUrl = `http://localhost:${shopPort}`;
  const simulatorUrl = `http://localhost:${simulatorPort}`;
  const directory = mkdtempSync(join(tmpdir(), 'tianguis-stage-'));
  const env = {
    PATH: process.env.PATH,
    PORT: String(shopPort),
    SIMULATOR_PORT: String(simulatorPort),
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const program = spawn(process.execPath, [join(root, 'dist/tools/dev/start-shop.js')], {
    cwd: directory,
    env,
    stdio: 'ignore',
  });
  const close = () => {
    program.kill('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilServed(`${shopUrl}/readyz`);
    await untilServed(simulatorUrl);
  } catch (error) {
    close();
    throw error;
  }
  return { shopUrl, simulatorUrl, directory, close };
}

async function untilServed(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const served = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (served) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no successful response from ${url} after 100 tries`);
}
