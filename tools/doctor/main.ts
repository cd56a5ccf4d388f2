/** `npm run doctor`: checks the current configuration and prints problems, their effects and fixes. */

import { parseArgs } from 'node:util';
import { loadEnvFile } from '../../src/env-file.js';
import { projectRoot } from '../../src/project-root.js';
import { formatReport, jsonReport } from './report.js';
import { runDoctor } from './run-doctor.js';

const USAGE = `npm run doctor -- [options]
  --production   applies the production rules to the settings
  --offline      checks settings and files only and contacts no other program
  --json         prints JSON
Exit code: 0 without errors, 1 with errors, 2 for invalid options. Prints no secret and creates no payment or order.`;

const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { offline: flag, production: flag, json: flag, help: flag } as const;

const { help, json, ...options } = optionsOrExit();
if (help) {
  console.log(USAGE);
  process.exit();
}
loadEnvFile();
const results = await runDoctor({
  environment: process.env,
  projectDirectory: projectRoot,
  envFile: '.env',
  ...options,
});
const exitCode = results.some(({ level }) => level === 'error') ? 1 : 0;
// Exits explicitly, because an open connection would keep the process running.
process.stdout.write(`${json ? jsonReport(results) : formatReport(results)}\n`, () => process.exit(exitCode));

function optionsOrExit() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}
