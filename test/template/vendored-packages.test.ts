/** A shop without the sources of a package has its tarball. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

/** The sources of the payments, and the parts that need them. */
const SOURCES = ['payments-source', 'payments-in-shop', 'template'];
const LOCKFILE = 'package-lock.json';
const MONEY = 'packages/payments/src/rules/money.ts';

// Long enough for two builds on a busy machine.
jest.setTimeout(600_000);

let template: string;
let copy: string;
const path = (name: string) => join(copy, name);
const git = (...args: readonly string[]) => run(copy, 'git', ...args).output.trim();
const features = (...args: readonly string[]) => run(copy, 'node', 'tools/features/main.js', ...args);
const succeeds = (...args: readonly string[]) => expect(features(...args)).toMatchObject({ code: 0 });
const readLock = () =>
  JSON.parse(readFileSync(path(LOCKFILE), 'utf8')) as { readonly packages: Record<string, object> };
const tarballs = () => readdirSync(path('vendor')).filter((name) => name.endsWith('.tgz'));
const installed = () =>
  JSON.parse(readFileSync(path('node_modules/@tianguis/payments/package.json'), 'utf8')) as object;
const changeMoney = () => writeFileSync(path(MONEY), `${readFileSync(path(MONEY), 'utf8')}// mine\n`);
const commit = () => git('commit', '--quiet', '--all', '--message', 'mine');

beforeEach(() => {
  template = copyProject();
  commitAll(template);
  run(template, 'git', 'branch', '-M', 'main');
  copy = mkdtempSync(join(tmpdir(), 'tianguis-vendored-'));
  run(tmpdir(), 'git', 'clone', '--quiet', '--origin', 'template', template, copy);
  for (const [name, value] of Object.entries({ name: 'A', email: 'a@shop.example' }))
    for (const folder of [template, copy]) run(folder, 'git', 'config', `user.${name}`, value);
  linkPackages(copy);
});
afterEach(() => {
  for (const folder of [template, copy]) rmSync(folder, { recursive: true, force: true });
});

test('the sources of the payments become a tarball of their commit, come back, and become the same bytes again', () => {
  // The lockfile has a version that only the payments have.
  const lock = readLock();
  lock.packages['packages/payments/node_modules/own'] = { version: '1.0.0' };
  writeFileSync(path(LOCKFILE), `${JSON.stringify(lock, null, 2)}\n`);
  commit();
  const start = git('rev-parse', 'HEAD');

  succeeds('remove', ...SOURCES);
  const [first, tarball] = [git('rev-parse', 'HEAD'), tarballs()];
  const [packed, locked] = [installed(), Object.keys(readLock().packages)];
  succeeds('restore', 'payments-source');
  const restored = [git('diff', '--name-only', start, '--', 'packages', 'vendor', 'package-lock.json'), tarballs()];
  succeeds('remove', 'payments-source');

  const { version } = packed as { readonly version: string };
  expect(tarball).toEqual([`tianguis-payments-${version}-${start.slice(0, 8)}.tgz`]);
  expect(packed).toMatchObject({ name: '@tianguis/payments', gitHead: start });
  expect(locked.filter((name) => name.endsWith('/own'))).toEqual(['node_modules/@tianguis/payments/node_modules/own']);
  expect(restored).toEqual(['', []]);
  expect(git('diff', '--name-only', first)).toBe('');
});

test('a removal that git refuses leaves sources, lockfile and installed package as they were', () => {
  git('config', 'core.hooksPath', '.git/own-hooks');
  run(copy, 'mkdir', '.git/own-hooks');
  writeFileSync(path('.git/own-hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

  expect(features('remove', ...SOURCES)).toMatchObject({ code: 1 });

  expect([git('status', '--porcelain'), tarballs()]).toEqual(['', []]);
  expect(lstatSync(path('node_modules/@tianguis/payments')).isSymbolicLink()).toBe(true);
});

test('changed sources are not removed, and a tarball that has own changes is not replaced', () => {
  changeMoney();
  commit();
  expect(features('remove', ...SOURCES)).toMatchObject({ code: 1, output: expect.stringContaining(MONEY) });
  // Without this remote the changes of a shop that never removed a part cannot be found.
  git('remote', 'rename', 'template', 'origin');
  succeeds('remove', ...SOURCES);
  run(template, 'git', 'commit', '--quiet', '--allow-empty', '--message', 'next');
  git('fetch', '--quiet', 'origin');
  git('merge', '--quiet', '--no-edit', 'FETCH_HEAD');
  const start = git('rev-parse', 'HEAD');

  expect(features('apply')).toMatchObject({ code: 1, output: expect.stringContaining(MONEY) });

  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([start, '']);
  succeeds('restore', 'payments-source');
  writeFileSync(path(MONEY), '// other\n');
  commit();
  expect(features('remove', 'payments-source')).toMatchObject({ code: 1, output: expect.stringContaining(MONEY) });
});
