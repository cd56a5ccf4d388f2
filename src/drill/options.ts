/** What the drill is asked to do. Pure. */
import { parseArgs } from 'node:util';

export interface DrillOptions {
  readonly list: boolean;
  readonly help: boolean;
  readonly short: boolean;
  /** Empty: all of them. */
  readonly only: readonly string[];
  /** A PostgreSQL server; absent: the embedded database. */
  readonly server?: string;
  readonly kills?: number;
  /** What the sizes are multiplied with. */
  readonly scale: number;
  readonly seed: number;
}

export const USAGE = `npm run drill -- [options]
  --list             names the scenarios and ends
  --only id[,id]     plays these only
  --short            small sizes, for CI
  --database URL     postgres://… instead of the embedded database; in a schema of its own, dropped at the end
  --kills N          how often processes are killed
  --scale X          multiplies the sizes, as 0.25 or 3
  --seed N           plays the same chances again`;

/** Throws an error whose message tells what is wrong. */
export function readOptions(args: readonly string[], known: readonly string[]): DrillOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      kills: { type: 'string' },
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { list, help, short, database: server, kills } = values;
  const only = values.only.split(',').filter((id) => id !== '');
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(', ')}`);
  if (server !== undefined && !/^postgres(?:ql)?:\/\//.test(server))
    throw new Error('--database must start with postgres://');
  const seed = wholeNumber('--seed', values.seed);
  return {
    ...{ list, help, short, only, seed },
    scale: factor('--scale', values.scale),
    ...(server !== undefined && { server }),
    ...(kills !== undefined && { kills: wholeNumber('--kills', kills) }),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

function factor(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new Error(`${name} must lie between 0 and 100`);
  return value;
}
