import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

/** The directory of `package.json`, `views/` and `public/`. It is the same from `src/` and from compiled `dist/src/`. */
export const projectRoot = rootAbove(dirname(fileURLToPath(import.meta.url)));
