/** `npm run contract`: tests the gateway's test environment against docs/gateway-interface.md and prints the differences. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadEnvFile } from './env-file.js';
import { createGatewayClient } from './gateway-client.js';
import { gatewayOpenApi } from './openapi.js';
import { foundIn, labelOf, untestedLines, writeReport } from './report.js';
import { CLAUSES, type ClauseResult, runClause } from './run-clauses.js';
import { readTarget } from './target.js';
import { findTester } from './tester.js';

const OPENAPI = 'docs/internals/gateway.openapi.json';
const USAGE = `npm run contract -- [--pay [--guided] | --openapi]
  --pay       also charges the gateway's test cards and refunds one payment. Without it, sessions are created and not paid.
  --guided    also asks you to pay, decline, cancel and answer the bank in a browser, and checks after each step.
              With the simulator the program does these steps.
  --openapi   only writes ${OPENAPI}
Exit code: 0 when the gateway meets docs/gateway-interface.md, 1 when it differs, 2 when it was not tested.`;

const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { help: flag, pay: flag, guided: flag, openapi: flag };

try {
  const { help, pay, guided, openapi } = parseArgs({ options: OPTIONS }).values;
  if (help) console.log(USAGE);
  else if (openapi) writeFileSync(OPENAPI, gatewayOpenApi());
  else if (guided && !pay) throw new Error(`--guided needs --pay\n${USAGE}`);
  else await testContract(pay, guided);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function testContract(pay: boolean, guided: boolean): Promise<void> {
  loadEnvFile();
  const target = readTarget(process.env);
  const addresses = `${target.CHECKOUT_API_URL} and ${target.PAYMENTS_BASE_URL}`;
  console.log(`${addresses} against docs/gateway-interface.md\n`);
  const gateway = createGatewayClient(target);
  const tester = guided ? await findTester(target) : undefined;
  const results: ClauseResult[] = [];
  for (const clause of CLAUSES) {
    const result = await runClause(clause, gateway, { pay, tester });
    results.push(result);
    if (result.untested) continue;
    console.log(`${labelOf(result).padEnd(9)} ${result.name} (${result.section})`);
    for (const difference of foundIn(result)) console.log(`            ${difference}`);
  }
  const untested = untestedLines(results);
  console.log(`\nNOT TESTED\n${untested.map((line) => `  ${line}`).join('\n')}`);
  const count = (label: string) => results.filter((result) => labelOf(result) === label).length;
  console.log(`\n${count('MEETS')} clauses met, ${count('DIFFERS')} not, ${untested.length} not tested.`);
  console.log(`Report: ${writeReport(results, addresses, new Date())}`);
  if (count('DIFFERS') === 0) return;
  process.exitCode = 1;
  console.log('docs/gateway-interface.md lists known differences and their effect on the shop.');
  console.log('If the simulator should have the same difference, change packages/gateway-tools/src/simulator/.');
}
