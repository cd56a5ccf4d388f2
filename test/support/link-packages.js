import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Gives a copy of the project the packages that are installed here. Those of `packages/` are the copy's own, if it has them. */
export function linkPackages(folder) {
  const scope = join(folder, 'node_modules/@tianguis');
  mkdirSync(scope, { recursive: true });
  for (const name of readdirSync(MODULES))
    if (name !== '@tianguis') symlinkSync(join(MODULES, name), join(folder, 'node_modules', name));
  for (const name of readdirSync(join(MODULES, '@tianguis'))) {
    const isOwn = existsSync(join(folder, 'packages', name));
    symlinkSync(isOwn ? `../../packages/${name}` : join(MODULES, '@tianguis', name), join(scope, name));
  }
}
