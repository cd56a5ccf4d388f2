/** `npm run doctor`: checks the current configuration and reports problems, their effects and fixes. */
import dotenv from 'dotenv';
import { examine } from './examine.js';
import { type DoctorOptions, readOptions, USAGE } from './options.js';
import { hasErrors, report } from './report.js';

dotenv.config({ quiet: true });

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  const findings = await examine({
    environment: process.env,
    production: options.production,
    offline: options.offline,
    dataDirectory: 'data',
    projectDirectory: '.',
  });
  const text = options.json ? JSON.stringify(findings, null, 2) : report(findings);
  // Exits explicitly, because an open connection would keep the process running.
  process.stdout.write(`${text}\n`, () => process.exit(hasErrors(findings) ? 1 : 0));
}

function optionsOrExit(): DoctorOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

await main();
