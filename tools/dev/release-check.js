// `npm run release-check`: runs all steps of a release one after the other. Reports what passed, failed and could not run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = `npm run release-check -- [--database postgres://…] [--dry-run]
  --database URL   the database of the drill on PostgreSQL, which drops its schemas at the end
  --dry-run        lists the steps, and runs none
Exit code: 0 all passed, 1 a step failed, 2 none failed and a step could not run. On 2 cores it takes more than an hour.`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const PROFILES = ['interface', 'minimal', 'public-docs'];
const KEY = 'test_key_of_the_release_check';

const { database, ...options } = parseArgs({
  options: { database: { type: 'string' }, 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
}).values;

const STEPS = [
  { name: 'check', script: 'check' },
  { name: 'build', script: 'build' },
  { name: 'test:all', script: 'test:all' },
  { name: 'drill on SQLite', script: 'drill' },
  {
    name: 'drill on PostgreSQL',
    script: 'drill',
    args: ['--database', database],
    lacks: () => (database ? undefined : 'add --database postgres://…'),
  },
  ...PROFILES.map((profile) => ({
    name: `contract, profile ${profile}`,
    script: 'contract',
    args: ['--pay', '--guided'],
    profile,
  })),
  ...[1, 2, 3].map((count) => ({ name: `adopted shop ${count}`, file: 'test/template/adopted-shop.js' })),
  { name: 'image', script: 'test', args: ['test/template/image'], lacks: whyNoImage },
];

if (options.help) console.log(USAGE);
else await main();

async function main() {
  const results = [];
  for (const step of STEPS) {
    const isPresent = step.file ? existsSync(join(root, step.file)) : step.script in scripts;
    const reason = isPresent ? step.lacks?.() : 'removed from this shop';
    results.push({ name: step.name, result: reason ? `not run: ${reason}` : await runStep(step) });
  }
  console.log(results.map(({ name, result }) => `${name.padEnd(32)}${result}`).join('\n'));
  if (options['dry-run']) return;
  const has = (start) => results.some(({ result }) => result.startsWith(start));
  if (has('FAILED')) process.exitCode = 1;
  else if (has('not run')) process.exitCode = 2;
}

async function runStep({ name, file, script, args = [], profile }) {
  const command = file ? ['node', file] : ['npm', 'run', script, ...(args.length > 0 ? ['--', ...args] : [])];
  if (options['dry-run']) return command.join(' ');
  console.log(`== ${name}`);
  const start = performance.now();
  const code = await (profile
    ? withSimulator(profile, (settings) => runCommand(command, settings))
    : runCommand(command));
  const seconds = Math.round((performance.now() - start) / 1000);
  return code === 0 ? `passed in ${seconds} s` : `FAILED with exit code ${code}`;
}

/**
 * Returns the exit code. The tests must not use another database than their own. A test whose program or browser is missing
 * fails, where it is skipped otherwise. With each restored part all tests of the rooms run.
 */
async function runCommand([program, ...args], settings = {}) {
  const complete = { npm_config_loglevel: 'silent', CI: 'true', ENGINES: 'all', RESTORED: 'all' };
  const env = { ...process.env, TEST_DATABASE_URL: undefined, ...complete, ...settings };
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}

/** Calls `run` with the settings of a simulator that it starts, and stops afterwards. */
async function withSimulator(profile, run) {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-release-'));
  const port = await freePort();
  const simulator = spawn(
    process.execPath,
    [join(root, 'node_modules/@tianguis/gateway-tools/bin/gateway-simulator.js')],
    {
      cwd: folder,
      env: { ...process.env, SIMULATOR_PORT: port, SIMULATOR_PROFILE: profile, PAYMENTS_API_KEY: KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(simulator, 'exit');
  try {
    // Its first output says that it listens.
    await Promise.race([once(simulator.stdout, 'data'), ended]);
    const url = `http://localhost:${port}`;
    const tokenizer = `${url}/vault/v1/gateway/inboundRoutes/demo/token`;
    return await run({
      PAYMENTS_BASE_URL: url,
      CHECKOUT_API_URL: url,
      TOKENIZER_URL: tokenizer,
      PAYMENTS_API_KEY: KEY,
    });
  } finally {
    simulator.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function whyNoImage() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'it needs root on Linux';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'root may not mount here';
  const missing = ['buildah', 'mmdebstrap', 'caddy'].filter((program) => spawnSync(program, ['version']).error);
  return missing.length > 0 ? `install ${missing.join(', ')}` : undefined;
}
