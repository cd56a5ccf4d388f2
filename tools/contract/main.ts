/** `npm run contract`: tests the gateway's test environment against docs/gateway-interface.md and prints the differences. */
import { parseArgs } from 'node:util';
import dotenv from 'dotenv';
import { type ClauseResult, runClause } from './clause.js';
import { CLAUSES } from './clauses.js';
import { createGatewayClient } from './gateway-client.js';
import { readTarget } from './target.js';

const USAGE = `npm run contract -- [--pay]
  --pay   also charges the gateway's test cards and refunds one payment. Without it, sessions are created and not paid.
Exit code: 0 when the gateway meets docs/gateway-interface.md, 1 when it differs, 2 when it was not tested.`;

async function main(): Promise<void> {
  const { help, pay } = optionsOrExit();
  if (help) return console.log(USAGE);
  dotenv.config({ quiet: true });
  const reading = readTarget(process.env, pay);
  if (!reading.ok) {
    const problems = reading.problems.map((problem) => `  - ${problem}`).join('\n');
    console.error(`The gateway is not tested:\n${problems}`);
    process.exit(2);
  }
  const { target } = reading;
  console.log(`${target.checkoutApiUrl} and ${target.baseUrl} against docs/gateway-interface.md\n`);
  const gateway = createGatewayClient(target);
  const results: ClauseResult[] = [];
  for (const clause of CLAUSES) {
    const result = await runClause(clause, gateway);
    console.log(formatResult(result));
    results.push(result);
  }
  console.log(`\n${formatSummary(results)}`);
  process.exitCode = results.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

function optionsOrExit() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { help: flag, pay: flag } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

function formatResult({ clause, differences, skipped }: ClauseResult): string {
  const { name, section } = clause;
  const suffix = skipped === undefined ? '' : `: ${skipped}`;
  const label = skipped !== undefined ? 'SKIPPED' : differences.length > 0 ? 'DIFFERS' : 'MEETS  ';
  const head = `${label}  ${name} (${section})${suffix}`;
  return [head, ...differences.map((difference) => `           ${difference}`)].join('\n');
}

function formatSummary(results: readonly ClauseResult[]): string {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const differing = results.filter(({ differences }) => differences.length > 0).length;
  const counts = `${results.length - skipped - differing} clauses met, ${differing} not, ${skipped} skipped.`;
  if (differing === 0) return counts;
  return `${counts}
docs/gateway-interface.md lists known differences and their effect on the shop.
If the simulator should have the same difference, change tools/simulator/.`;
}

await main();
