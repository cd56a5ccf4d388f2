import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

declare global {
  /** Shared by set-up and teardown of the run. */
  var browserServer: BrowserServer | undefined;
}

const LAUNCH_ARGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
];
/** Hidden pages that the full browser has in each window for its address bar. They take a third of its CPU time. */
const UNUSED_FEATURES = 'WebUIOmniboxPopup,WebUIOmniboxAimPopup';
/** The headless shell comes first: it needs half the CPU time of the full browser. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_MS = 300_000;
const HELP = `The browser tests need a Chromium, and none could be found or fetched. Any one of these helps:
  - set CHROMIUM_PATH to a Chromium or Chrome that is there
  - npx playwright-core install --with-deps chromium
  - apt-get install chromium (Debian)`;

/** The other engines, each with the setting that names its program. Without one, `engines.test.ts` skips its journeys. */
const OTHERS = [
  { name: 'Firefox', setting: 'FIREFOX_PATH', programs: ['firefox-esr'], packages: 'firefox-esr' },
  {
    name: 'WebKit',
    setting: 'WEBKIT_DRIVER_PATH',
    programs: ['WebKitWebDriver', 'Xvfb'],
    packages: 'webkit2gtk-driver xvfb',
  },
] as const;

/**
 * Finds or installs a Chromium before the browser tests and starts it once for all of them, each with a context of its own.
 * It sets `CHROMIUM_ENDPOINT` and ends the browser with the run. Without a browser, only the browser tests fail, each with
 * the reason. Of the other engines it sets the paths of those that are there.
 */
export default async function startBrowser(): Promise<void> {
  if (process.env['CHROMIUM_ENDPOINT'] !== undefined) return;
  findOthers();
  const executablePath = await findChromium();
  if (executablePath === undefined) return;
  // The Chromium sandbox needs a user other than root and is missing in most containers. The browser loads local
  // pages only.
  const options = { executablePath, headless: true, chromiumSandbox: false, args: LAUNCH_ARGS };
  const args = [...LAUNCH_ARGS, await disabledFeatures(options)];
  globalThis.browserServer = await chromium.launchServer({ ...options, args });
  process.env['CHROMIUM_ENDPOINT'] = globalThis.browserServer.wsEndpoint();
}

/** Chromium obeys only its last `--disable-features`, so the unused ones join those that Playwright disables. */
async function disabledFeatures(options: LaunchOptions): Promise<string> {
  const server = await chromium.launchServer(options);
  await server.close();
  const ofPlaywright = server.process().spawnargs.find((each) => each.startsWith('--disable-features='));
  return `${ofPlaywright ?? '--disable-features='},${UNUSED_FEATURES}`;
}

/** Sets `CHROMIUM_PROBLEM` if there is no browser. */
async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH'];
  const path = given
    ? pathIfExecutable(given)
    : (findInPath(NAMES) ?? (await installPlaywrightBrowser()) ?? installDebianPackage());
  if (path) return path;
  const problem = given ? `CHROMIUM_PATH names no program: ${given}` : HELP;
  process.env['CHROMIUM_PROBLEM'] = problem;
  console.error(`\n${problem}\n`);
  return undefined;
}

/** Sets the path of each engine that is there. The last line of the run names those that are not. */
function findOthers(): void {
  const missing = OTHERS.filter(({ setting, programs }) => {
    const [path, ...required] = programs.map((program) => findInPath([program]));
    if (path && !required.includes(undefined)) process.env[setting] ??= path;
    return process.env[setting] === undefined;
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const packages = missing.map((each) => each.packages).join(' ');
  process.once('exit', () => {
    console.error(`Skipped: the journeys in ${names}. To run them: apt-get install ${packages} (Debian)`);
  });
}

/** Returns the path of the first of these programs that is there. */
function findInPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => pathIfExecutable(path) !== undefined);
}

function pathIfExecutable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** Downloads Playwright's browser once into the user's cache. */
async function installPlaywrightBrowser(): Promise<string | undefined> {
  const path = chromium.executablePath();
  if (canRun(path)) return path;
  console.error('\nNo Chromium found. Downloading the one of Playwright…');
  const cli = fileURLToPath(new URL('../../node_modules/playwright-core/cli.js', import.meta.url));
  runInstaller(process.execPath, [cli, 'install', 'chromium'], {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  });
  return canRun(path) ? path : undefined;
}

/** Installs the Debian package, which includes the libraries that a plain download lacks. Requires root. */
function installDebianPackage(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  console.error('\nInstalling the Chromium of the distribution…');
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  runInstaller('apt-get', ['update', '-qq'], quiet);
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (findInPath(NAMES)) break;
    runInstaller('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'], quiet);
  }
  return findInPath(NAMES);
}

/** Runs the browser once: a downloaded browser without its libraries does not start. */
function canRun(path: string): boolean {
  return pathIfExecutable(path) !== undefined && spawnSync(path, ['--version']).status === 0;
}

function runInstaller(command: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_MS,
    env: { ...process.env, ...env },
  });
}
