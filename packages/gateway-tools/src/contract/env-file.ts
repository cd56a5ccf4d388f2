import { existsSync, readFileSync } from 'node:fs';
import dotenv from 'dotenv';

/**
 * Adds the settings of `.env` in the working directory to the environment, whose own variables win. Throws if the file
 * exists and cannot be read. Warns on standard error of values that end at a `#`.
 */
export function loadEnvFile(): void {
  const { error, parsed = {} } = dotenv.config({ path: '.env', quiet: true, override: false });
  if (error && error.code !== 'ENOENT') throw error;
  const text = existsSync('.env') ? readFileSync('.env', 'utf8') : '';
  for (const [, name = '', raw = ''] of text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/gm)) {
    const isQuoted = /^\s*(['"`]).*\1\s*(?:#.*)?$/.test(raw);
    // A comment has blanks around its #.
    const isCut = raw.includes('#') && !parsed[name]?.includes('#') && !/^[^#]*(?<!\S)#(?!\S)/.test(raw);
    if (isCut && !isQuoted)
      process.stderr.write(`Warning: in .env the value of ${name} ends before its #. Put the value in quotes.\n`);
  }
}
