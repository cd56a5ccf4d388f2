/** Entry point of a worker without HTTP: reads settings, opens services, runs the worker, and closes on a signal. */
import dotenv from 'dotenv';
import { startWorker } from './checkout/run-worker.js';
import { createLog } from './log.js';
import { closeAndExit, configOrExit, exitWith, untilStopped } from './process-life.js';
import { openServices } from './services.js';

dotenv.config({ quiet: true });
const { config, secrets } = configOrExit(process.env);
const log = createLog(config.logLevel);
const stopped = untilStopped();
const services = await openServices(config, secrets, { clock: Date, log, dataDirectory: 'data' }).catch(
  exitWith,
);
const worker = startWorker(services.checkout);
log.info('working');
await stopped;
log.info('closing');
await closeAndExit(log, async () => {
  await worker[Symbol.asyncDispose]();
  await services[Symbol.asyncDispose]();
});
