import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Gives a copy of the project the packages that are installed here. Those of this project are the copy's own: the sources of
 * `packages/`, or the tarball of `vendor/`.
 */
export function linkPackages(folder) {
  const scope = join(folder, 'node_modules/@tianguis');
  mkdirSync(scope, { recursive: true });
  for (const name of readdirSync(MODULES))
    if (name !== '@tianguis') symlinkSync(join(MODULES, name), join(folder, 'node_modules', name));
  for (const name of readdirSync(join(MODULES, '@tianguis'))) {
    const tarball = tarballOf(folder, name);
    const isOwn = existsSync(join(folder, 'packages', name));
    if (isOwn || tarball === undefined)
      symlinkSync(isOwn ? `../../packages/${name}` : join(MODULES, '@tianguis', name), join(scope, name));
    else {
      mkdirSync(join(scope, name));
      execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(scope, name)]);
    }
  }
}

function tarballOf(folder, name) {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  const spec = { ...dependencies, ...devDependencies }[`@tianguis/${name}`] ?? '';
  return spec.startsWith('file:') ? join(folder, spec.slice('file:'.length)) : undefined;
}
