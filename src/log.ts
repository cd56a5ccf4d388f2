import { maskCardNumbers } from '@tianguis/payments/rules';
import pino, { type DestinationStream, type Logger } from 'pino';
import { type EventLog, LOG_FIELDS, type LogFields } from './shop/rules/event-log.js';

const MAX_VALUE = 200;
/** The smallest number with 13 digits, the minimum length of a card number. */
const CARD_SIZED = 1e12;

/** Creates a logger. It writes only the fields of the allow-list and removes line breaks and card numbers. */
export function createLog(level: string, destination?: DestinationStream): EventLog {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return over(destination ? pino(options, destination) : pino(options), {});
}

/** `always` holds cleaned fields. */
function over(logger: Logger, always: LogFields): EventLog {
  const all = (fields: LogFields = {}) => ({ ...always, ...allowed(fields) });
  return {
    debug: (event, fields) => logger.debug(all(fields), clean(event)),
    info: (event, fields) => logger.info(all(fields), clean(event)),
    warn: (event, fields) => logger.warn(all(fields), clean(event)),
    error: (event, fields) => logger.error(all(fields), clean(event)),
    with: (fields) => over(logger, all(fields)),
  };
}

function allowed(fields: LogFields): LogFields {
  const result: Record<string, string | number> = {};
  for (const name of LOG_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') result[name] = clean(value);
    else if (typeof value === 'number') result[name] = Math.abs(value) >= CARD_SIZED ? '[digits]' : value;
  }
  return result;
}

/** Redacts card numbers before it truncates: part of a card number would not be recognized. */
function clean(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return maskCardNumbers(line).slice(0, MAX_VALUE);
}
