import pino, { type DestinationStream } from 'pino';
import { type EventLog, LOG_FIELDS, type LogFields } from './core/event-log.js';

const MAX_VALUE = 200;

/** A logger that writes only fields of the allow-list: text without line breaks or card numbers, and numbers. */
export function createLog(level: string, destination?: DestinationStream): EventLog {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = destination ? pino(options, destination) : pino(options);
  return {
    info: (event, fields) => logger.info(allowed(fields), event),
    warn: (event, fields) => logger.warn(allowed(fields), event),
    error: (event, fields) => logger.error(allowed(fields), event),
  };
}

function allowed(fields: LogFields = {}): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const name of LOG_FIELDS) {
    const value = fields[name];
    if (typeof value === 'number') kept[name] = value;
    if (typeof value === 'string') kept[name] = clean(value);
  }
  return kept;
}

function clean(value: string): string {
  return value
    .slice(0, MAX_VALUE)
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\d(?:[ .-]?\d){12,18}/g, '[digits]');
}
