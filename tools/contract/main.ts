/** `npm run contract`: tests the gateway's test environment against docs/gateway-interface.md and prints the differences. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadEnvFile } from '../../src/env-file.js';
import { createGatewayClient } from './gateway-client.js';
import { gatewayOpenApi } from './openapi.js';
import { CLAUSES, type ClauseResult, runClause } from './run-clause.js';
import { readTarget } from './target.js';

const OPENAPI = 'docs/internals/gateway.openapi.json';
const USAGE = `npm run contract -- [--pay | --openapi]
  --pay       also charges the gateway's test cards and refunds one payment. Without it, sessions are created and not paid.
  --openapi   only writes ${OPENAPI}
Exit code: 0 when the gateway meets docs/gateway-interface.md, 1 when it differs, 2 when it was not tested.`;

const flag = { type: 'boolean', default: false } as const;

try {
  const { help, pay, openapi } = parseArgs({ options: { help: flag, pay: flag, openapi: flag } }).values;
  if (help) console.log(USAGE);
  else if (openapi) writeFileSync(OPENAPI, await gatewayOpenApi());
  else await testContract(pay);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function testContract(pay: boolean): Promise<void> {
  loadEnvFile();
  const target = readTarget(process.env);
  const { CHECKOUT_API_URL, PAYMENTS_BASE_URL } = target;
  console.log(`${CHECKOUT_API_URL} and ${PAYMENTS_BASE_URL} against docs/gateway-interface.md\n`);
  using gateway = createGatewayClient(target);
  const count = { MEETS: 0, DIFFERS: 0, 'NOT TESTED': 0 };
  for (const clause of CLAUSES) {
    const result = await runClause(clause, gateway, pay);
    const label = labelOf(result);
    count[label] += 1;
    console.log(`${label.padEnd(10)}  ${result.name}${result.untested ? `: ${result.untested}` : ''}`);
    for (const difference of result.differences) console.log(`              ${difference}`);
  }
  console.log(`\n${count.MEETS} clauses met, ${count.DIFFERS} not, ${count['NOT TESTED']} not tested.`);
  if (count.DIFFERS === 0) return;
  process.exitCode = 1;
  console.log('docs/gateway-interface.md lists known differences and their effect on the shop.');
  console.log('If the simulator should have the same difference, change tools/simulator/.');
}

function labelOf({ differences, untested }: ClauseResult) {
  if (untested) return 'NOT TESTED';
  return differences.length > 0 ? 'DIFFERS' : 'MEETS';
}
