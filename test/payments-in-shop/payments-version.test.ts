/** Which payments run: processes of a build whose package names the commit from which it was packed. */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DOCTOR_HEADERS } from '../../src/shop/rules/doctor.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { copyBuild } from '../support/built-program.js';
import { freePort, Program } from '../support/programs.js';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const GATEWAY = 'http://localhost:2';
const SESSION_SECRET = 'una frase larga para las sesiones 27';

const build = copyBuild({});
afterAll(() => build[Symbol.dispose]());
const file = join(build.home, 'packages/payments/package.json');
const sources = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
const { version } = sources;

/** Starts shop or worker, and returns the fields that it logs at the start. */
async function start(name: 'main' | 'worker', gitHead: string | undefined) {
  writeFileSync(file, JSON.stringify({ ...sources, gitHead }));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const event = name === 'main' ? 'process.started' : 'worker.started';
  const gateway = { PAYMENTS_BASE_URL: GATEWAY, CHECKOUT_API_URL: GATEWAY, PAYMENTS_API_KEY: 'test_key_of_a_process' };
  const secrets = { SESSION_SECRET, ADMIN_PASSWORD: PASSWORD };
  const program = new Program({
    name: `${name}-${port}`,
    script: join(build.home, `dist/src/${name}.js`),
    folder: build.home,
    env: { ...gateway, ...secrets, PORT: String(port), PUBLIC_URL: url, DATABASE_URL: 'file:./shop.db' },
    ready: { output: event },
  });
  await program.start();
  const line = program
    .log()
    .split('\n')
    .find((each) => each.includes(event));
  return { program, url, started: JSON.parse(line ?? '') as object };
}

test.each(['main', 'worker'] as const)('%s logs version and commit of its payments at the start', async (name) => {
  const packed = await start(name, COMMIT);
  await packed.program.kill();
  const unpacked = await start(name, undefined);
  await unpacked.program.kill();

  expect(packed.started).toMatchObject({ payments: version, paymentsCommit: COMMIT });
  expect(unpacked.started).toMatchObject({ payments: version });
  expect(unpacked.started).not.toHaveProperty('paymentsCommit');
});

test('the back office and the probe of the doctor name version and commit of the payments, the public sees neither', async () => {
  const { program, url } = await start('main', COMMIT);
  await using _program = program;
  const key = createHmac('sha256', SESSION_SECRET).update(DOCTOR_HEADERS.key).digest('base64url');
  const read = async (path: string, headers = {}) => {
    const answer = await fetch(`${url}${path}`, { headers });
    return { probe: answer.headers.get(DOCTOR_HEADERS.payments), text: await answer.text() };
  };

  const overview = await (await openBackOffice({ url })).get('/admin');
  const known = await read('/healthz', { [DOCTOR_HEADERS.key]: key });
  const unknown = await read('/healthz', { [DOCTOR_HEADERS.key]: `${key}x` });
  const others = await Promise.all(
    ['/healthz', '/readyz', '/', '/admin/sign-in', '/no-page'].map((path) => read(path)),
  );

  expect(overview.text).toContain(`Versión del módulo de pagos: ${version} (${COMMIT})`);
  expect(known).toEqual({ probe: `${version} (${COMMIT})`, text: 'ok' });
  expect(unknown).toEqual({ probe: null, text: 'ok' });
  for (const { probe, text } of others) expect([probe, text.includes(COMMIT)]).toEqual([null, false]);
});
