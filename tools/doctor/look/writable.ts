import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Returns whether files can be created in a folder, or the folder itself can be created. Creates nothing. */
export function mayWriteTo(folder: string): boolean {
  const nearest = nearestThere(resolve(folder));
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
}

function nearestThere(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestThere(dirname(folder));
}
