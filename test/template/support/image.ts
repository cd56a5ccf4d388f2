/** The image of the Dockerfile, built and run by Buildah: as root on Debian, without Docker, registry and virtual machine. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { until } from '../../support/crowd.js';

const execute = promisify(execFile);
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** In seconds. A program that hangs is killed, its children too. */
const LIMITS = { build: 400, base: 300, program: 120, command: 60 };
const ENOUGH_MEMORY = 6 * 1024 ** 3;

/** Returns why this machine cannot build an image, or `undefined`. In CI only the machine itself is a reason. */
export function whyNoImage(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'root may not mount here';
  const lacking = ['buildah', 'mmdebstrap'].filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return lacking.length > 0 && process.env['CI'] !== 'true' ? `apt-get install ${lacking.join(' ')}` : undefined;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Options of `buildah run`. */
  readonly options?: readonly string[];
}

/** Builds the image from a folder with the project. Disposal removes all storage. */
export async function buildImage(context: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-buildah-'));
  const inMemory = freemem() > ENOUGH_MEMORY && spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0;
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
  const store = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const limited = (seconds: number, ...args: readonly string[]) => ['--kill-after=5', String(seconds), ...args];
  const buildah = async (seconds: number, command: string, ...args: readonly string[]) => {
    const all = limited(seconds, 'buildah', ...store, command, ...args);
    const { stdout } = await execute('timeout', all, { maxBuffer: 1e8 }).catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    return stdout.trim();
  };
  const from = (...args: readonly string[]) =>
    buildah(LIMITS.command, 'from', '--pull-never', '--signature-policy', policy, ...args);
  const commit = ['--quiet', '--rm', '--signature-policy', policy];

  async function createBase(tag: string): Promise<void> {
    const container = await from('scratch');
    const base = await buildah(LIMITS.command, 'mount', container);
    const [, node = '', suite = ''] = /^(\d+)-(\w+)-slim$/.exec(tag) ?? [];
    const packages = join(folder, 'packages');
    const names = [`node-${process.platform}-${process.arch}@${node}`, 'npm@11'];
    const install = ['npm', 'install', '--silent', '--no-save', '--ignore-scripts', '--prefix', packages, ...names];
    const excluded = ['doc', 'locale', 'man'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
    const debian = ['mmdebstrap', '--quiet', '--variant=essential', '--include=libstdc++6', ...excluded, suite, base];
    await Promise.all([install, debian].map((command) => execute('timeout', limited(LIMITS.base, ...command))));
    addNode(base, join(packages, 'node_modules'));
    rmSync(packages, { recursive: true });
    await buildah(LIMITS.command, 'commit', ...commit, container, `localhost/node:${tag}`);
  }

  async function dispose(): Promise<void> {
    if (inMemory) await execute('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    const [, tag = ''] = /^ARG NODE=(\S+)$/m.exec(readFileSync(join(context, 'Dockerfile'), 'utf8')) ?? [];
    await createBase(tag);
    const options = ['--isolation', 'chroot', '--pull-never', '--format', 'docker', '--signature-policy', policy];
    await buildah(LIMITS.build, 'build', ...options, '--tag', 'tianguis', context);
    const { Docker } = JSON.parse(
      await buildah(LIMITS.command, 'inspect', '--type', 'image', 'tianguis'),
    ) as ImageFacts;
    return {
      config: Docker.config,
      /** Creates a container. Its programs share files, and the network of this machine. */
      async open(...args: readonly string[]) {
        const container = await from(...args, 'tianguis');
        const start = (command: readonly string[], { env = {}, options: more = [] }: RunOptions = {}) => {
          const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
          const isolated = ['--isolation', 'chroot', '--cap-drop', 'all', ...variables, ...more];
          const buildahRun = ['buildah', ...store, 'run', ...isolated, container, '--', ...command];
          return spawn('timeout', limited(LIMITS.program, ...buildahRun));
        };
        return {
          /** The folder with the files of the container. */
          files: await buildah(LIMITS.command, 'mount', container),
          /** Runs a program to its end. */
          async run(command: readonly string[], options: RunOptions = {}) {
            const child = start(command, options);
            child.stdin.on('error', () => {}).end(options.input ?? '');
            const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
            const [code] = await once(child, 'close');
            return { code: code as number, output: (await outputs).join('') };
          },
          /** Starts a program. Resolves when its output contains `ready`. */
          async start(command: readonly string[], ready: string, options: RunOptions = {}) {
            const child = start(command, options);
            let output = '';
            for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
            const ended = once(child, 'close');
            await until(() => output.includes(ready) || child.exitCode !== null);
            if (!output.includes(ready)) throw new Error(`${command.join(' ')} exited:\n${output}`);
            const stop = async (signal: NodeJS.Signals) => {
              if (child.exitCode === null) process.kill(innermost(child.pid ?? 0), signal);
              const [code] = await ended;
              return code as number;
            };
            return {
              output: () => output,
              /** Sends the signal to the program itself. Resolves with its exit code. */
              stop,
              [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
            };
          },
        };
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface ImageFacts {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Cmd: readonly string[];
      readonly StopSignal: string;
      readonly Volumes: object;
      readonly Healthcheck: { readonly Test: readonly string[] };
    };
  };
}

/** Adds what the image of Node has beside Debian: Node, npm, and the user `node`. The registry's certificate may be one of this machine. */
function addNode(base: string, packages: string): void {
  const local = join(base, 'usr/local');
  for (const name of ['etc', 'lib/node_modules']) mkdirSync(join(local, name), { recursive: true });
  cpSync(join(packages, `node-${process.platform}-${process.arch}/bin/node`), join(local, 'bin/node'));
  cpSync(join(packages, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  appendFileSync(join(base, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(base, 'etc/group'), 'node:x:1000:\n');
  mkdirSync(join(base, 'home/node'));
  if (!existsSync(CERTIFICATES)) return;
  mkdirSync(join(base, 'etc/ssl/certs'), { recursive: true });
  cpSync(CERTIFICATES, join(base, CERTIFICATES), { dereference: true });
  writeFileSync(join(local, 'etc/npmrc'), `cafile=${CERTIFICATES}\n`);
}

/** Returns the process that has no child, from this one down. Each thread of a process may have children. */
function innermost(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')).join(' ');
  const [child] = children.split(' ').filter(Boolean);
  return child ? innermost(Number(child)) : pid;
}
