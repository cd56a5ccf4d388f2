import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What Jest tells about the run; the rest of its settings is of no use here. */
interface Run {
  readonly rootDir: string;
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** The same browser without its window comes first: it asks half the time of a processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const INSTALL_MS = 300_000;
const HELP = `The browser tests need a Chromium, and none could be found or fetched. Any one of these helps:
  - set CHROMIUM_PATH to a Chromium or Chrome that is there
  - npx playwright-core install --with-deps chromium
  - apt-get install chromium (Debian)`;

/**
 * Finds a Chromium for the browser tests, or gets one, before any of them runs; they read its path from CHROMIUM_PATH.
 * When there is none, only they fail, each with the reason. All in one file: Jest resolves no `.js` suffixes here.
 */
// biome-ignore lint/style/noDefaultExport: Jest asks for one.
export default async function globalSetup({ rootDir, testPathPatterns }: Run): Promise<void> {
  if (!wantsBrowser(rootDir, testPathPatterns.patterns)) return;
  const given = process.env['CHROMIUM_PATH'];
  const path = given ? whenProgram(given) : (onPath() ?? (await playwrightsOwn()) ?? debians());
  if (path) {
    process.env['CHROMIUM_PATH'] = path;
    return;
  }
  const problem = given ? `CHROMIUM_PATH names no program: ${given}` : HELP;
  process.env['CHROMIUM_PROBLEM'] = problem;
  console.error(`\n${problem}\n`);
}

function wantsBrowser(rootDir: string, patterns: readonly string[]): boolean {
  const folder = join(rootDir, 'test/journeys');
  const journeys = readdirSync(folder).map((name) => join(folder, name));
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => journeys.some((path) => new RegExp(pattern, 'i').test(path)))
  );
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    (path) => whenProgram(path) !== undefined,
  );
}

function whenProgram(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** Playwright's own browser, downloaded once into the user's cache. */
async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  if (runs(path)) return path;
  console.error('\nNo Chromium is there: downloading the one that Playwright keeps…');
  const cli = fileURLToPath(new URL('../../node_modules/playwright-core/cli.js', import.meta.url));
  fetchWith(process.execPath, [cli, 'install', 'chromium'], {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  });
  return runs(path) ? path : undefined;
}

/** Debian's package, which brings the libraries that a bare download lacks; only root can install it. */
function debians(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  console.error('\nInstalling the Chromium of the distribution…');
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  fetchWith('apt-get', ['update', '-qq'], quiet);
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (onPath()) break;
    fetchWith(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-liberation'],
      quiet,
    );
  }
  return onPath();
}

/** A downloaded browser without its libraries is a file that does not start. */
function runs(path: string): boolean {
  return whenProgram(path) !== undefined && spawnSync(path, ['--version']).status === 0;
}

function fetchWith(command: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_MS,
    env: { ...process.env, ...env },
  });
}
