/** What the doctor is asked for. Pure. */
import { parseArgs } from 'node:util';

export interface DoctorOptions {
  readonly json: boolean;
  readonly offline: boolean;
  readonly production: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run doctor -- [options]
  --production   judges the settings as those of a production shop
  --offline      asks no other program: settings and files only
  --json         prints the findings as JSON
Exit code: 0 without errors, 1 with, 2 when it was asked wrongly. Prints no secret, makes no payment and no order.`;

/** Throws an error whose message tells what is wrong. */
export function readOptions(args: readonly string[]): DoctorOptions {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { json: flag, offline: flag, production: flag, help: flag },
  });
  return values;
}
