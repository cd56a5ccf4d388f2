/** `npm run contract`: tests the gateway's test environment against interface.md and prints the differences. */
import { parseArgs } from 'node:util';
import dotenv from 'dotenv';
import { hasDifferences, line, summary } from './report.js';
import { CLAUSES, runContract } from './run-contract.js';
import { readTarget } from './target.js';

dotenv.config({ quiet: true });

const USAGE = `npm run contract -- [options]
  --only name[,name]   tests only these clauses
  --pay                also charges the gateway's test cards; without it, sessions are created and not paid
Exit code: 0 when the gateway meets interface.md, 1 when it differs, 2 when it was not tested.`;

async function main(): Promise<void> {
  const { help, pay, only } = optionsOrExit();
  if (help) return console.log(USAGE);
  const reading = readTarget(process.env, pay);
  if (!reading.ok) {
    console.error(`The contract is not tried:\n${reading.problems.map((text) => `  - ${text}`).join('\n')}`);
    process.exit(2);
  }
  console.log(`${reading.target.checkoutApiUrl} and ${reading.target.baseUrl} against interface.md\n`);
  const results = await runContract(reading.target, { only, tell: (result) => console.log(line(result)) });
  console.log(`\n${summary(results)}`);
  process.exitCode = hasDifferences(results) ? 1 : 0;
}

interface Options {
  readonly help: boolean;
  readonly pay: boolean;
  readonly only: readonly string[];
}

function optionsOrExit(): Options {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { help: flag, pay: flag, only: { type: 'string', default: '' } } as const;
    const { help, pay, only } = parseArgs({ args: process.argv.slice(2), options }).values;
    return { help, pay, only: knownClauses(only) };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

function knownClauses(list: string): readonly string[] {
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !CLAUSES.some((clause) => clause.name === name));
  if (unknown.length > 0) throw new Error(`no such clause: ${unknown.join(', ')}`);
  return names;
}

await main();
