/** The command `npm run reconcile`: compares the gateway's export of payments with the payments here. Changes nothing. */

import { parseArgs } from 'node:util';
import { compareExport, type Difference } from '@tianguis/payments/back-office';
import { toPesosText } from '@tianguis/payments/rules';
import { addDays, isDay, startOfDay } from '../shop/rules/mexico-day.js';
import { openDatabase } from '../tables/database.js';
import type { CommandProcess, CommandResult } from './command-process.js';
import { readExport, type UncomparedRow } from './exported-payments.js';

const USAGE = `npm run reconcile -- FILE --unit pesos|centavos [--from DAY] [--to DAY] [--json]
  --unit           the amounts of the file: pesos with decimals (150.00), or whole centavos (15000)
  --id COLUMN      the column of the gateway's id, transaction number or payment number. Default: id
  --amount COLUMN  default: amount
  --status COLUMN  the gateway's own words. Default: status
  --type COLUMN    the kind of movement. Rows of refunds are skipped. Default: operation_type, if the file has it
  --from, --to     the days of the file in Mexico City, such as 2026-11-01. Default: all
  --json           prints one JSON object
Rows that are no payment are listed and skipped: refunds, declined tries, totals, titles, empty rows.
Exit code: 0 equal, 1 something differs, 2 invalid options or file, 3 another error.
`;
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = {
  id: { ...TEXT, default: 'id' },
  amount: { ...TEXT, default: 'amount' },
  status: { ...TEXT, default: 'status' },
  type: { ...TEXT, default: 'operation_type' },
  unit: TEXT,
  from: TEXT,
  to: TEXT,
  json: FLAG,
} as const;
const MAX_PROBLEMS = 20;

class InputError extends Error {}

/** Errors are part of the result. */
export async function runReconcile(args: readonly string[], context: CommandProcess): Promise<CommandResult> {
  if (args.includes('--help')) return { code: 0, stdout: USAGE, stderr: '' };
  try {
    return await compare(readArguments(args), context);
  } catch (error) {
    const code = error instanceof InputError ? 2 : 3;
    return { code, stdout: '', stderr: `reconcile: ${error instanceof Error ? error.message : 'unknown'}\n` };
  }
}

async function compare(input: Input, { readSettings }: CommandProcess): Promise<CommandResult> {
  const reading = await readExport(input.file, input.columns).catch((error: Error) => {
    throw new InputError(error.message);
  });
  const { rows, unreadable, problems } = reading;
  if (problems.length > 0) {
    const more = problems.length > MAX_PROBLEMS ? `\n  and ${problems.length - MAX_PROBLEMS} more` : '';
    const listed = problems.slice(0, MAX_PROBLEMS).map((problem) => `\n  ${problem}`);
    throw new InputError(`${input.file} was not compared:${listed.join('')}${more}`);
  }
  const { secrets } = readSettings();
  await using database = openDatabase(secrets.databaseUrl, () => {});
  await database.migrate();
  const differences: (Difference | UnreadableRow)[] = unreadable.map((row) => ({ kind: 'unreadable', ...row }));
  const skipped: UncomparedRow[] = [...reading.skipped];
  for await (const found of compareExport(database.queries, rows, input.span))
    if (found.kind === 'no_payment') skipped.push({ line: found.line, reason: `${found.id} is ${found.status}` });
    else differences.push(found);
  return resultOf(input, rows.length + reading.skipped.length - skipped.length, { differences, skipped });
}

interface UnreadableRow extends UncomparedRow {
  readonly kind: 'unreadable';
}

interface Found {
  readonly differences: readonly (Difference | UnreadableRow)[];
  readonly skipped: readonly UncomparedRow[];
}

function resultOf({ json }: Input, rows: number, { differences, skipped }: Found): CommandResult {
  const isEqual = differences.length === 0;
  const left = skipped.length === 0 ? '' : `, skipped: ${skipped.length}`;
  const summary = `${rows} rows compared${left}, ${isEqual ? 'no difference' : `differences: ${differences.length}`}`;
  const ordered = skipped.toSorted((one, other) => one.line - other.line);
  const text = [
    ...ordered.map(({ line, reason }) => `line ${line}: no payment, skipped: ${reason}`),
    ...differences.map(textOf),
    summary,
  ].join('\n');
  const stdout = json ? JSON.stringify({ isEqual, rows, differences, skipped: ordered }) : text;
  return { code: isEqual ? 0 : 1, stdout: `${stdout}\n`, stderr: '' };
}

type Input = ReturnType<typeof readArguments>;

/** Throws `InputError`. */
function readArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const { id, amount, status, type, unit, from, to, json } = values;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new InputError(`name one file\n${USAGE}`);
  if (unit !== 'pesos' && unit !== 'centavos') throw new InputError(`--unit must be pesos or centavos\n${USAGE}`);
  const wrong = [from, to].find((day) => day !== undefined && !isDay(day));
  if (wrong !== undefined) throw new InputError(`${wrong} is no day such as 2026-11-01\n${USAGE}`);
  const span = {
    from: from === undefined ? 0 : startOfDay(from),
    until: to === undefined ? Date.now() : startOfDay(addDays(to, 1)),
  };
  if (span.from >= span.until) throw new InputError(`--to is before --from\n${USAGE}`);
  return { file, columns: { id, amount, status, type, unit } as const, json, span };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new InputError(`${error instanceof Error ? error.message : 'unknown'}\n${USAGE}`);
  }
}

function textOf(difference: Difference | UnreadableRow): string {
  if (difference.kind === 'unreadable') return `line ${difference.line}: not readable: ${difference.reason}`;
  const { kind, id } = difference;
  if (kind === 'only_in_file')
    return `line ${difference.line}: ${id} is in the file and not here (${difference.status})`;
  const { reference } = difference;
  if (kind === 'only_here')
    return `${reference}: ${id} is here and not in the file (${toPesosText(difference.amount)})`;
  if (kind === 'repeated') return `line ${difference.line}: ${id} is in the file twice (${reference})`;
  const isAmount = kind === 'other_amount';
  const values = isAmount
    ? [toPesosText(difference.inFile), toPesosText(difference.here)]
    : [difference.inFile, difference.here];
  const what = isAmount ? 'another amount' : 'another status';
  return `line ${difference.line}: ${id} has ${what}: ${values[0]} in the file, ${values[1]} here (${reference})`;
}
