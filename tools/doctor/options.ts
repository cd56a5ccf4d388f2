/** Command-line options of the doctor. Pure. */
import { parseArgs } from 'node:util';

export interface DoctorOptions {
  readonly json: boolean;
  readonly offline: boolean;
  readonly production: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run doctor -- [options]
  --production   applies the production rules to the settings
  --offline      checks settings and files only and contacts no other program
  --json         prints the findings as JSON
Exit code: 0 without errors, 1 with errors, 2 for invalid options. Prints no secret and creates no payment or order.`;

/** Parses the options. Throws an error with a readable message for unknown ones. */
export function readOptions(args: readonly string[]): DoctorOptions {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { json: flag, offline: flag, production: flag, help: flag },
  });
  return values;
}
