import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Returns whether files can be created in a folder, or the folder itself can be created. Creates nothing. */
export function canCreateFilesIn(folder: string): boolean {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return statSync(existing).isDirectory();
  } catch {
    return false;
  }
}
