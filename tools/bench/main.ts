/** `npm run bench`: compares the built shop with a bare Express app. Exits with code 1 when a target is missed. */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { databaseVersion } from './growth.js';
import { type Finding, rows } from './rows.js';

const USAGE = `npm run bench -- [--only ROW,ROW] [--full] [--seconds N]
  --only      measures these rows: ${Object.keys(rows).join(', ')}
  --full      100,000 visits and 1,000,000 orders instead of 20,000 of each
  --seconds   duration of one measurement (3)
BENCH_DATABASE_URL or DATABASE_URL=postgres://… adds PostgreSQL, in schemas that are dropped at the end.`;

const [string, boolean] = [{ type: 'string' }, { type: 'boolean' }] as const;
const { values } = parseArgs({ options: { only: string, seconds: string, full: boolean, help: boolean } });
const chosen = values.only?.split(',') ?? Object.keys(rows);
const { BENCH_DATABASE_URL, DATABASE_URL } = process.env;
const server = [BENCH_DATABASE_URL, DATABASE_URL].find((url) => url?.startsWith('postgres'));
const options = { server, full: values.full === true, seconds: Number(values.seconds ?? 3) };
if (values.help || !chosen.every((name) => name in rows) || !(options.seconds >= 1)) {
  console.error(USAGE);
  process.exit(2);
}
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
const versions = [`Node ${process.versions.node}`, `SQLite ${await databaseVersion()}`];
if (server) versions.push(`PostgreSQL ${await databaseVersion(server)}`);
const machine = [cpus()[0]?.model, `${availableParallelism()} cores`, ...versions].join(', ');
console.log(`Measured ${new Date().toISOString().slice(0, 10)} on ${machine}.\n`);
console.log('| row | what | measured | target | |\n|---|---|---|---|---|');
for (const name of chosen) {
  const failed = (error: Error): Finding[] => [['not measured', error.message, '', false]];
  for (const [what, figure, target, met] of (await rows[name]?.(options).catch(failed)) ?? []) {
    console.log(`| ${name} | ${what} | ${figure} | ${target} | ${met ? 'met' : 'missed'} |`);
    if (!met) process.exitCode = 1;
  }
}
