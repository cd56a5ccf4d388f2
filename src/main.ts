/** The shop: settings → services → listen → close on signal. */
import dotenv from 'dotenv';
import { createLog } from './log.js';
import { configOrExit, exitWith, staySmall, untilStopped } from './process-life.js';
import { openShop } from './shop.js';

staySmall();
dotenv.config({ quiet: true });
const { config, secrets } = configOrExit(process.env);
const log = createLog(config.logLevel);
const stopped = untilStopped();
const shop = await openShop(config, secrets, { clock: Date, log, dataDirectory: 'data' }).catch(exitWith);
log.info('listening', { where: shop.url });
await stopped;
log.info('closing');
await shop.close();
