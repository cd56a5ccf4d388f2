/** `npm run bench`: the built shop's speed and size, beside what Express and Node can do in the same minute. */
import { cpus, loadavg } from 'node:os';
import { closeConnections } from '../drill/http.js';
import { killAllPrograms } from '../drill/programs.js';
import { type Finding, round, table } from './finding.js';
import { type BenchOptions, readOptions, USAGE } from './options.js';
import { useEnvironment } from './programs.js';
import type { Row } from './row.js';
import { rows } from './rows.js';

/** Of the bench's own environment the programs see only what they need to run at all. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'];

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  const given = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  useEnvironment(Object.fromEntries(given.map(([name, value]) => [name, value ?? ''])));
  const findings: (Finding & { readonly row: string })[] = [];
  for (const row of rows.filter((each) => isWanted(each, options))) {
    if (!options.json) console.error(`${row.id}: ${row.says}`);
    for (const finding of await measured(row, options)) findings.push({ row: row.id, ...finding });
  }
  console.log(
    options.json ? JSON.stringify({ machine: machine(), findings }, undefined, 2) : `\n${table(findings)}`,
  );
  if (!options.json) console.log(`\n${machineInWords()}`);
  process.exitCode = findings.some(({ verdict }) => verdict === 'misses') ? 1 : 0;
}

/** A row that fails says why, and takes none of the others with it. */
async function measured(row: Row, options: BenchOptions): Promise<readonly Finding[]> {
  try {
    return await row.measure(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ what: 'could not be measured', figure: reason, verdict: 'misses', numbers: {} }];
  }
}

function isWanted({ id, needsServer }: (typeof rows)[number], { only, server }: BenchOptions): boolean {
  if (needsServer && server === undefined) return false;
  return only.length === 0 || only.includes(id);
}

function machine() {
  return {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    load: loadavg()[0] ?? 0,
  };
}

function machineInWords(): string {
  const { cores, model, node, load } = machine();
  return `${cores} cores (${model.trim()}), Node ${node}, load at the end ${round(load)}. A bar that is missed on an uneven machine is called noisy.`;
}

function optionsOrExit(): BenchOptions {
  try {
    return readOptions(
      process.argv.slice(2),
      rows.map(({ id }) => id),
    );
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

process.once('exit', () => {
  closeConnections();
  killAllPrograms();
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => process.exit(code));
}
await main();
process.exit();
