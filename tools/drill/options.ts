/** Command-line options of the drill. Pure. */
import { parseArgs } from 'node:util';

export const USAGE = `npm run drill -- [options]
  --full             full run; the default is a short run of at most three minutes
  --only id[,id]     runs only these scenarios
  --database URL     postgres://… instead of SQLite; uses its own schema and drops it at the end
  --scale X          factor for the sizes, for example 0.25 or 3
  --seed N           seed of the random numbers, to repeat a run`;

export type DrillOptions = ReturnType<typeof readOptions>;

/** Parses the options. Throws an error with a readable message for invalid ones. */
export function readOptions(args: readonly string[], scenarioIds: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const only = values.only.split(',').filter((id) => id !== '');
  const unknown = only.filter((id) => !scenarioIds.includes(id));
  if (unknown.length > 0)
    throw new Error(`no such scenario: ${unknown.join(', ')}. Scenarios: ${scenarioIds.join(', ')}`);
  if (values.database !== undefined && !/^postgres(?:ql)?:\/\//.test(values.database))
    throw new Error('--database must start with postgres://');
  return {
    ...values,
    only,
    scale: factor(values.scale),
    seed: integer(values.seed),
  };
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error('--seed must be an integer');
  return Number(text);
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new Error('--scale must be greater than 0 and at most 100');
  return value;
}
