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
    ...process.env,
    PORT: String(shopPort),
    SIMULATOR_PORT: String(simulatorPort),
    PUBLIC_URL: shopUrl,
    PAYMENTS_BASE_URL: simulatorUrl,
    CHECKOUT_API_URL: simulatorUrl,
    PAYMENTS_API_KEY: 'test_simulator_key',
    TOKENIZER_URL: `${simulatorUrl}/vault/v1/gateway/inboundRoutes/demo/token`,
    WEBHOOK_AUTH: 'bearer:simulator-webhook-secret',
    SIMULATOR_WEBHOOK_URL: `${shopUrl}/webhooks/payments`,
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const programs = ['dist/tools/simulator/main.js', 'dist/src/main.js'].map((path) =>
    spawn(process.execPath, [join(root, path)], { cwd: directory, env, stdio: 'ignore' }),
  );
  const close = () => {
    for (const program of programs) program.kill('SIGTERM');
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
