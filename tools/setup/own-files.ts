import { lstatSync } from 'node:fs';

/** Throws an error if one of these paths, or a folder of it, is a link: what it leads to may be outside of the project. */
export function requireOwnFiles(paths: readonly string[]): void {
  for (const path of paths) {
    const parts = path.split('/');
    const steps = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const link = steps.find((step) => lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink());
    if (link) throw new Error(`${link} is a link. No file is changed. Replace it by what it leads to.`);
  }
}
