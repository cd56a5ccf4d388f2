/** Entry point of the shop: reads settings, opens services, listens, and closes on a signal. */
import dotenv from 'dotenv';
import { createLog } from './log.js';
import { closeAndExit, configOrExit, exitWith, untilStopped } from './process-life.js';
import { openShop } from './shop.js';

dotenv.config({ quiet: true });
const { config, secrets } = configOrExit(process.env);
const log = createLog(config.logLevel);
const stopped = untilStopped();
const shop = await openShop(config, secrets, { clock: Date, log, dataDirectory: 'data' }).catch(exitWith);
log.info('listening', { where: shop.url });
await stopped;
log.info('closing');
await closeAndExit(log, () => shop.close());
