import { existsSync, readFileSync } from 'node:fs';
import dotenv from 'dotenv';

/**
 * Adds the settings of `.env` in the working directory to the environment, whose own variables win. Throws if the file
 * exists and cannot be read, because the defaults would start another shop. Warns on standard error of values that end at a `#`.
 */
export function loadEnvFile(): void {
  const { error } = dotenv.config({ path: '.env', quiet: true, override: false });
  if (error && error.code !== 'ENOENT') throw error;
  const cut = existsSync('.env') ? cutSettings(readFileSync('.env', 'utf8')) : [];
  for (const name of cut) process.stderr.write(`Warning: in .env the value of ${name} ${CUT_REASON}\n`);
}

const CUT_REASON = "ends before its #, where a comment begins. Put the value in quotes: NAME='value'.";

/**
 * Returns the names of the settings in the text of an `.env` file whose unquoted value ends at a `#`. A comment has blanks
 * around its `#`.
 * @public also used by tools
 */
export function cutSettings(text: string): readonly string[] {
  const values = dotenv.parse(text);
  const lines = [...text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/gm)];
  const cut = lines.flatMap(([, name = '', raw = '']) => {
    const isQuoted = /^\s*(['"`]).*\1\s*(?:#.*)?$/.test(raw);
    const isKept = values[name]?.includes('#');
    return raw.includes('#') && !isQuoted && !isKept && !/^[^#]*(?<!\S)#(?!\S)/.test(raw) ? [name] : [];
  });
  return [...new Set(cut)];
}
