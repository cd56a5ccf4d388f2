import { existsSync } from 'node:fs';

const root = new URL('../..', import.meta.url);

/** Returns whether a path is in a tool, a room or a payment flow that was removed. Documents may still name it. */
export function isInRemovedPart(path: string): boolean {
  const [part] = /^(?:tools|(?:src|test)\/(?:features|flows))\/[\w-]+(?=\/|$)/.exec(path) ?? [];
  return part !== undefined && !existsSync(new URL(part.replace(/^test/, 'src'), root));
}
