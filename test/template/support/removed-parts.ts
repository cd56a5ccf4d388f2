import { existsSync } from 'node:fs';

const root = new URL('../../..', import.meta.url);
const exists = (path: string) => existsSync(new URL(path, root));

/** Returns whether a path is in a tool, a room, a payment flow or a locale that was removed. Documents may still name it. */
export function isInRemovedPart(path: string): boolean {
  const [part] = /^(?:tools|(?:src|test)\/(?:features|flows))\/[\w-]+(?=\/|$)/.exec(path) ?? [];
  if (part !== undefined && !exists(part.replace(/^test/, 'src'))) return true;
  const [, name] = /^(?:test\/locales|src\/features\/[\w-]+\/test)\/(card|hosted|en)\//.exec(path) ?? [];
  return name !== undefined && !exists(`src/flows/${name}`) && !exists(`src/locales/${name}.ts`);
}
