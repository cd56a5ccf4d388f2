import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = dirname(fileURLToPath(import.meta.url));

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

/** The directory of `package.json`, `views/` and `public/`. It is the same from `src/` and from compiled `dist/src/`. */
export const projectRoot = rootAbove(source);

/** The directory of the features beside the running code: `src/features/`, or `dist/src/features/` with copies of their views and public files. */
export const featuresDirectory = join(source, 'features');
