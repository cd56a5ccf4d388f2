import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  /** A package of `packages/`. */
  readonly link?: boolean;
}

test('each package of the lockfile has a SHA-512 integrity and no address of a registry', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  // The entry without a path is the shop itself.
  const isInstalled = ([path, { link }]: readonly [string, LockedPackage]) =>
    /(?:^|\/)node_modules\//.test(path) && !link;
  const installed = Object.entries(packages).filter(isInstalled);

  const unproven = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  const bound = installed.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('file:vendor/'));

  expect(installed.length).toBeGreaterThan(0);
  expect([unproven, bound].map((found) => found.map(([path]) => path))).toEqual([[], []]);
});
