/** What may be logged: these fields and no others. Personal data, addresses, tokens and bodies have no field. */
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

/** One line an event, by level of attention it asks for. */
export interface EventLog {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** The same log, with these fields on every line. */
  with(fields: LogFields): EventLog;
}
