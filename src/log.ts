import pino, { type DestinationStream, type Logger } from 'pino';
import { blotCardNumbers } from './core/card-data.js';
import { type EventLog, LOG_FIELDS, type LogFields } from './core/event-log.js';

const MAX_VALUE = 200;
/** The least number with as many digits as a card's. */
const CARD_SIZED = 1e12;

/** A logger that writes only fields of the allow-list: text without line breaks or card numbers, and numbers. */
export function createLog(level: string, destination?: DestinationStream): EventLog {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return over(destination ? pino(options, destination) : pino(options), {});
}

function over(logger: Logger, always: LogFields): EventLog {
  const all = (fields?: LogFields) => allowed({ ...always, ...fields });
  return {
    info: (event, fields) => logger.info(all(fields), clean(event)),
    warn: (event, fields) => logger.warn(all(fields), clean(event)),
    error: (event, fields) => logger.error(all(fields), clean(event)),
    with: (fields) => over(logger, { ...always, ...fields }),
  };
}

function allowed(fields: LogFields): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const name of LOG_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') kept[name] = clean(value);
    else if (typeof value === 'number') kept[name] = Math.abs(value) >= CARD_SIZED ? '[digits]' : value;
  }
  return kept;
}

/** Cut last, so that no half of a card number is left at the end. */
function clean(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return blotCardNumbers(line).slice(0, MAX_VALUE);
}
