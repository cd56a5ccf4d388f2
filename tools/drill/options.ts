/** Command-line options of the drill. Pure. */
import { parseArgs } from 'node:util';

export interface DrillOptions {
  readonly list: boolean;
  readonly help: boolean;
  /** The full run. The short run takes at most 3 min. */
  readonly full: boolean;
  /** Scenario ids. Empty: all scenarios. */
  readonly only: readonly string[];
  /** URL of a PostgreSQL server. Absent: SQLite. */
  readonly server?: string;
  readonly kills?: number;
  /** Factor for the sizes of all scenarios. */
  readonly scale: number;
  readonly seed: number;
}

export const USAGE = `npm run drill -- [options]
  --full             full run; the default is a short run of at most three minutes
  --list             lists the scenarios and exits
  --only id[,id]     runs only these scenarios
  --database URL     postgres://… instead of SQLite; uses its own schema and drops it at the end
  --kills N          number of kills
  --scale X          factor for the sizes, for example 0.25 or 3
  --seed N           seed of the random numbers, to repeat a run`;

/** Parses the options. Throws an error with a readable message for invalid ones. */
export function readOptions(args: readonly string[], known: readonly string[]): DrillOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      kills: { type: 'string' },
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { list, help, full, database: server, kills } = values;
  const only = values.only.split(',').filter((id) => id !== '');
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(', ')}`);
  if (server !== undefined && !/^postgres(?:ql)?:\/\//.test(server))
    throw new Error('--database must start with postgres://');
  const seed = wholeNumber('--seed', values.seed);
  return {
    ...{ list, help, full, only, seed },
    scale: factor('--scale', values.scale),
    server,
    ...(kills !== undefined && { kills: wholeNumber('--kills', kills) }),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

function factor(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new Error(`${name} must be greater than 0 and at most 100`);
  return value;
}
