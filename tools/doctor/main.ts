/** `npm run doctor`: checks the current configuration and prints problems, their effects and fixes. */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatReport } from './report.js';
import { runDoctor } from './run-doctor.js';

const USAGE = `npm run doctor -- [options]
  --production   applies the production rules to the settings
  --offline      checks settings and files only and contacts no other program
  --json         prints the results as JSON
Exit code: 0 without errors, 1 with errors, 2 for invalid options. Prints no secret and creates no payment or order.`;

const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { json: flag, offline: flag, production: flag, help: flag } as const;

async function main(): Promise<void> {
  const { help, json, ...options } = optionsOrExit();
  if (help) return console.log(USAGE);
  if (existsSync('.env')) process.loadEnvFile();
  const directories = { dataDirectory: 'data', projectDirectory: '.' };
  const results = await runDoctor({ environment: process.env, ...options, ...directories });
  const text = json ? JSON.stringify(results, null, 2) : formatReport(results);
  const exitCode = results.some(({ level }) => level === 'error') ? 1 : 0;
  // Exits explicitly, because an open connection would keep the process running.
  process.stdout.write(`${text}\n`, () => process.exit(exitCode));
}

function optionsOrExit() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

await main();
