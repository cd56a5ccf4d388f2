import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Whether files can be made in a folder, or the folder itself can be. Makes nothing. */
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
