/** The background work alone: settings → services → worker → close on signal. */
import dotenv from 'dotenv';
import { startWorker } from './checkout/run-worker.js';
import { createLog } from './log.js';
import { configOrExit, exitWith, staySmall, untilStopped } from './process-life.js';
import { openServices } from './services.js';

staySmall();
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
await worker[Symbol.asyncDispose]();
await services[Symbol.asyncDispose]();
