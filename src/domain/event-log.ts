/** Allow-list of log fields. Personal data, addresses, tokens and bodies have no field. */
export const LOG_FIELDS = [
  'order',
  'attempt',
  'message',
  'kind',
  'trigger',
  'from',
  'to',
  'reason',
  'code',
  'call',
  'status',
  'ms',
  'requestId',
  'errorId',
  'method',
  'route',
  'where',
  'count',
] as const;

export type LogFields = Readonly<Partial<Record<(typeof LOG_FIELDS)[number], string | number | undefined>>>;

/** Structured log: one line per event, by severity. */
export interface EventLog {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): EventLog;
}
