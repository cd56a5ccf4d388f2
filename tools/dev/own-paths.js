// Refuses paths that leave the project.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

/** Throws an error if a path, or a folder of it, is a link: what it leads to may be outside of the project. */
export function requireOwnPaths(root, paths) {
  for (const path of paths) {
    const parts = path.split('/');
    const steps = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const link = steps.find((step) => lstatSync(join(root, step), { throwIfNoEntry: false })?.isSymbolicLink());
    if (link) throw new Error(`${link} is a link. Replace it by what it leads to, or change ${path} yourself.`);
  }
}
