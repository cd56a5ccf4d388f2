/** What the bench is asked to do. Pure. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly help: boolean;
  readonly json: boolean;
  /** Empty: all of them. */
  readonly only: readonly string[];
  /** A PostgreSQL server; absent: its rows are left out. */
  readonly server?: string;
  /** How often each is measured, in turn with what it is compared with. */
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  /** How many orders a grown shop has. */
  readonly orders: number;
}

export const USAGE = `npm run bench -- [options]
  --only id[,id]     measures these only
  --postgres URL     postgres://…: also what needs a PostgreSQL server; in schemas of its own, dropped at the end
  --orders N         how many orders the grown shop has (1000000)
  --rounds N         how often each is measured (3)
  --seconds N        how long one measurement takes (5)
  --json             prints the findings as JSON`;

/** Throws an error whose message tells what is wrong. */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      postgres: { type: 'string' },
      orders: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const { help, json, postgres: server } = values;
  const only = values.only.split(',').filter((id) => id !== '');
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw new Error(`no such row: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  if (server !== undefined && !/^postgres(?:ql)?:\/\//.test(server))
    throw new Error('--postgres must start with postgres://');
  return {
    ...{ help, json, only },
    rounds: wholeNumber('--rounds', values.rounds),
    seconds: wholeNumber('--seconds', values.seconds),
    orders: wholeNumber('--orders', values.orders),
    ...(server !== undefined && { server }),
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number above 0`);
  return Number(text);
}
