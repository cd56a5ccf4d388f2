/** The files of docs/examples and docs/monitoring, checked by the programs that read them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedBuild } from '../support/built-program.js';
import { openCaddy } from '../support/caddy.js';
import { exchange, openServer } from '../support/http.js';
import { freePort } from '../support/programs.js';
import { run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'docs/examples');
const isCi = process.env['CI'] === 'true';
/** Debian installs some programs in `/usr/sbin`, which is not in the PATH of other users than root. */
const PATH = [process.env['PATH'], '/usr/sbin'].join(delimiter);
const running = readFileSync(join(root, 'docs/running.md'), 'utf8');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tianguis-examples-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Skips the test without the program. In CI the program is required. */
function testWith(program: string) {
  const { error } = spawnSync(program, ['--version'], { env: { PATH } });
  return error === undefined || isCi ? test : test.skip;
}

function check(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH, HOME: folder, ...env },
  });
  return { code: status, output: error ? String(error) : `${stdout}${stderr}` };
}

testWith('shellcheck')('shellcheck reports nothing about the shell scripts of the project', () => {
  const scripts = run(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard')
    .output.split('\n')
    .filter((path) => /^(?:\.ci|docs\/examples)\//.test(path))
    .filter((path) => /^#!.*sh$/m.test(readFileSync(join(root, path), 'utf8').split('\n', 1)[0] ?? ''));

  expect(scripts.length).toBeGreaterThanOrEqual(3);
  expect(check('shellcheck', scripts)).toEqual({ code: 0, output: '' });
});

testWith('promtool')('promtool accepts the alert rules', () => {
  expect(check('promtool', ['check', 'rules', 'docs/monitoring/alerts.yml'])).toMatchObject({ code: 0 });
});

testWith('systemd-analyze')('systemd-analyze reports nothing about the units', () => {
  const units = readdirSync(examples).filter((name) => /\.(?:service|timer)$/.test(name));
  for (const name of units) {
    const unit = readFileSync(join(examples, name), 'utf8').replaceAll('/srv/tianguis/', root);
    writeFileSync(join(folder, name), unit);
  }

  const paths = units.map((name) => join(folder, name));
  expect(units).toHaveLength(3);
  expect(check('systemd-analyze', ['--man=no', 'verify', ...paths])).toEqual({ code: 0, output: '' });
});

/** Runs the program of the unit in `folder`, as systemd does. Returns its exit code. */
function runUnit(unit: string, settings: Readonly<Record<string, string>>) {
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const program = command.replace('/usr/bin/node', process.execPath).replace('/srv/tianguis', sharedBuild());
  const env = { PATH, ...settings };
  const started = spawnSync('sh', ['-c', `SYSTEMD_EXEC_PID=$$ exec ${program}`], { cwd: folder, env });
  return started.status;
}

test.each(['main', 'worker'])(
  'systemd does not restart %s after refused settings, and restarts it until its database answers',
  (name) => {
    const unit = readFileSync(join(examples, 'tianguis.service'), 'utf8').replace('main.js', `${name}.js`);
    const [, prevented] = /^RestartPreventExitStatus=(.+)$/m.exec(unit) ?? [];

    expect(unit).toContain('\nRestart=always\n');
    expect(unit).toContain('\nStartLimitIntervalSec=0\n');
    expect(String(runUnit(unit, { PORT: 'eighty' }))).toBe(prevented);
    expect(runUnit(unit, { DATABASE_URL: 'postgres://tianguis@127.0.0.1:1/tianguis' })).toBe(1);
  },
);

testWith('caddy')('caddy accepts the Caddyfile as formatted', () => {
  const path = join(examples, 'Caddyfile');

  expect(check('caddy', ['fmt', path])).toEqual({ code: 0, output: readFileSync(path, 'utf8') });
  expect(check('caddy', ['validate', '--adapter', 'caddyfile', '--config', path])).toMatchObject({ code: 0 });
});

testWith('caddy')('docs/running.md makes a Caddyfile for a host, and pages name no sample shop', () => {
  const [command = ''] = /^sed '.+ > \/etc\/caddy\/Caddyfile$/m.exec(running) ?? [];
  const path = join(folder, 'Caddyfile');
  const own = command.replace('YOUR-HOST', 'tienda.example').replace('/etc/caddy/Caddyfile', path);

  expect(check('sh', ['-c', own])).toEqual({ code: 0, output: '' });
  const made = readFileSync(path, 'utf8');
  expect(made).toContain('\n{$PUBLIC_URL:https://tienda.example} {\n');
  expect(check('caddy', ['validate', '--adapter', 'caddyfile', '--config', path])).toMatchObject({ code: 0 });
  for (const text of [made, readFileSync(join(examples, 'haproxy.cfg'), 'utf8')])
    expect(text).not.toMatch(/Tianguis|YOUR|shop\.example/);
});

const openCaddyAt = async (shopPort: number) => openCaddy({ folder, port: await freePort(), shopPorts: [shopPort] });

const form = { method: 'POST', body: 'lang=en' } as const;

testWith('caddy')('Caddy replaces the forwarding headers of the client', async () => {
  let received: IncomingHttpHeaders = {};
  await using shop = await openServer(({ headers }, res) => {
    received = headers;
    res.end();
  });
  await using caddy = await openCaddyAt(shop.port);
  const [ip, host] = ['203.0.113.9', 'x.example'];

  await exchange(caddy.url, '/', {
    headers: { 'X-Forwarded-For': ip, 'X-Forwarded-Host': host, Forwarded: `for=${ip}` },
  });

  expect(received['x-forwarded-for']).toBe('127.0.0.1');
  expect(Object.keys(received).filter((name) => /^(?:x-forwarded-host|forwarded)$/.test(name))).toEqual([]);
});

testWith('caddy')('during a restart of the shop a page waits, and a form gets the error page', async () => {
  const port = await freePort();
  await using caddy = await openCaddyAt(port);
  const received: (string | undefined)[] = [];

  const page = exchange(caddy.url, '/');
  const refused = await exchange(caddy.url, '/checkout/card', form);
  const shop = createServer(({ method }, res) => {
    received.push(method);
    res.end('from the shop');
  }).listen(port, '127.0.0.1');
  const answer = await page;
  shop.close().closeAllConnections();

  expect([answer.status, answer.text]).toEqual([200, 'from the shop']);
  expect(refused.status).toBe(502);
  expect(refused.text).toContain('revisa primero el estado de tu pedido');
  expect(received).toEqual(['GET']);
});

testWith('caddy')('a request whose connection broke is neither repeated nor logged by path', async () => {
  let received = 0;
  await using shop = await openServer((req) => {
    received += 1;
    req.socket.destroy();
  });
  await using caddy = await openCaddyAt(shop.port);

  const answers = [
    await exchange(caddy.url, '/orders/secret-token', form),
    await exchange(caddy.url, '/orders/secret-token'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([502, 502]);
  expect(received).toBe(2);
  expect(caddy.log()).not.toContain('secret-token');
});

/** Runs the backup with a `pg_dump` that records its arguments and its password. */
function backUp(url: string) {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const dump = `#!/bin/sh\nprintf '%s\\n' "$*" >'${folder}/arguments'\nprintf %s "\${PGPASSWORD-none}" >'${folder}/password'\n`;
  const write = (name: string, script: string) => writeFileSync(join(programs, name), script, { mode: 0o755 });
  write('pg_dump', `${dump}for each; do case $each in --file=*) touch "\${each#--file=}" ;; esac; done\n`);
  write('pg_restore', '#!/bin/sh\n');
  const env = { PATH: [programs, PATH].join(delimiter), DATABASE_URL: url };
  const result = check(join(examples, 'backup.sh'), [folder], env);
  const read = (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8').trimEnd();
    } catch {
      return '';
    }
  };
  return { ...result, arguments: read('arguments'), password: read('password') };
}

testWith('sqlite3')('a backup of SQLite is written into a folder with an apostrophe and a blank', () => {
  const own = join(folder, "respaldos d'Ana");
  mkdirSync(own);
  const file = join(own, "tienda d'Ana.db");
  expect(check('sqlite3', [file, 'create table orders (id); insert into orders values (1)'])).toMatchObject({
    code: 0,
  });

  const result = check(join(examples, 'backup.sh'), [own], { DATABASE_URL: `file:${file}` });

  expect(result).toEqual({ code: 0, output: '' });
  const [backup = ''] = readdirSync(own).filter((name) => /^tianguis-.*\.db$/.test(name));
  expect(check('sqlite3', [join(own, backup), 'select count(*) from orders']).output).toBe('1\n');
});

/** Stand-ins for `ssh`, which runs the command on this machine, and for what needs root. */
const STAND_INS = { ssh: 'for last; do :; done; cd "$OTHER" && exec sh -c "$last"', systemctl: '', 'ssh-copy-id': '' };

testWith('scp')('the drop-in of docs/running.md copies backups and settings to another machine', () => {
  const [, commands = ''] = /For copies on another machine.*\n\n```sh\n([^`]+)```/.exec(running) ?? [];
  const programs = join(folder, 'programs');
  const other = join(folder, 'other');
  const backups = join(folder, 'tianguis-backup');
  for (const path of [programs, other, backups]) mkdirSync(path);
  for (const [name, script] of Object.entries(STAND_INS))
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  writeFileSync(join(backups, 'tianguis-1.db'), 'orders');
  writeFileSync(join(folder, 'tianguis.env'), 'PORT=3000\n', { mode: 0o600 });
  const here = commands
    .replaceAll('/etc/systemd/system', folder)
    .replaceAll('/var/lib/tianguis-backup', backups)
    .replaceAll('/etc/tianguis.env', join(folder, 'tianguis.env'));
  const env = { PATH: [programs, PATH].join(delimiter), OTHER: other };

  expect(check('sh', ['-c', here], env)).toEqual({ code: 0, output: '' });
  const unit = readFileSync(join(examples, 'tianguis-backup.service'), 'utf8').replaceAll('/srv/tianguis/', root);
  writeFileSync(join(folder, 'tianguis-backup.service'), unit);
  const dropIn = readFileSync(join(folder, 'tianguis-backup.service.d/copy.conf'), 'utf8');
  const [, copy = ''] = /^ExecStartPost=\+(.+)$/m.exec(dropIn) ?? [];
  const scp = `/usr/bin/scp -O -S '${programs}/ssh'`;
  for (let night = 0; night < 2; night += 1)
    expect(check('sh', ['-c', copy.replace('/usr/bin/scp', scp)], env)).toEqual({ code: 0, output: '' });

  expect(check('systemd-analyze', ['--man=no', 'verify', join(folder, 'tianguis-backup.service')])).toEqual({
    code: 0,
    output: '',
  });
  expect(readdirSync(other, { recursive: true }).sort()).toEqual([
    ...['tianguis-backup', 'tianguis-backup/tianguis-1.db', 'tianguis.env'],
  ]);
  expect(statSync(join(other, 'tianguis.env')).mode & 0o777).toBe(0o600);
});

test.each([
  [
    'postgres://shop:s3cret@db.example:5432/tianguis?sslmode=require',
    's3cret',
    'postgres://shop@db.example:5432/tianguis?sslmode=require',
  ],
  [
    'postgresql://shop:p%40ss%2Fw%C3%B6rd%25:x\\y@db.example/tianguis',
    'p@ss/wörd%:x\\y',
    'postgresql://shop@db.example/tianguis',
  ],
  ['postgres://shop@/tianguis?host=/run/postgresql', 'none', 'postgres://shop@/tianguis?host=/run/postgresql'],
  ['postgres://db.example/tianguis', 'none', 'postgres://db.example/tianguis'],
])('the backup of %s shows no password in the arguments of a program', (url, password, address) => {
  const result = backUp(url);

  expect([result.code, result.output, result.password]).toEqual([0, '', password]);
  expect(result.arguments.split(' ').at(-1)).toBe(address);
  expect(readdirSync(folder).filter((name) => name.endsWith('.dump'))).toHaveLength(1);
});

test('the backup refuses a password among the parameters of the address, and starts no program with it', () => {
  const {
    code,
    output,
    arguments: dumped,
  } = backUp('postgres://shop@db.example/tianguis?sslmode=require&password=s3cret');

  expect(code).toBe(1);
  expect(output).toContain('postgres://user:password@host');
  expect([output, dumped].join('')).not.toContain('s3cret');
});
