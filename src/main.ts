/** Entry point of the shop: reads settings, creates the context, listens, and closes on a signal. */
import { loadEnvFile } from './env-file.js';
import { createLog } from './log.js';
import { closeAndExit, exitWith, exitWithSamples, shopConfigOrExit, untilStopped } from './process-lifecycle.js';
import { PAYMENTS_FIELDS } from './shop/payments-version.js';
import { startShop } from './start-shop.js';

loadEnvFile();
const { config, secrets } = shopConfigOrExit(process.env);
const log = createLog(config.logLevel);
const checkSettings = (problems: readonly string[]) => exitWithSamples(process.env, problems);
const options = { clock: Date, log, dataDirectory: 'data', checkSettings };
const stopped = untilStopped();
const shop = await startShop(config, secrets, options).catch(exitWith);
log.info('process.started', { url: shop.url, ...PAYMENTS_FIELDS });
await stopped;
log.info('process.stopping');
await closeAndExit(log, () => shop.close());
