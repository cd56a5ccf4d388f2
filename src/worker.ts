/** Entry point of a worker without HTTP: reads settings, creates the context, runs the worker, and closes on a signal. */

import { createContext } from './context.js';
import { loadEnvFile } from './env-file.js';
import { createLog } from './log.js';
import { closeAndExit, exitWith, exitWithSamples, shopConfigOrExit, untilStopped } from './process-lifecycle.js';
import { PAYMENTS_FIELDS } from './shop/payments-version.js';

loadEnvFile();
const { config, secrets } = shopConfigOrExit(process.env);
const log = createLog(config.logLevel);
const checkSettings = (problems: readonly string[]) => exitWithSamples(process.env, problems);
const options = { clock: Date, log, dataDirectory: 'data', checkSettings };
const stopped = untilStopped();
const context = await createContext(config, secrets, options).catch(exitWith);
const worker = context.checkout.payments.startWorker();
log.info('worker.started', PAYMENTS_FIELDS);
await stopped;
log.info('process.stopping');
await closeAndExit(log, async () => {
  await worker[Symbol.asyncDispose]();
  await context[Symbol.asyncDispose]();
});
