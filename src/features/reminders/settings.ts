import { wholeNumber } from '@tianguis/payments/settings';

export const HOUR_MS = 60 * 60_000;
/** Longest delay of a reminder, in hours. */
export const MAX_HOURS = 72;

export const SETTINGS = {
  REMINDER_HOURS: wholeNumber(1, MAX_HOURS)
    .optional()
    .describe(
      'Hours after which an unpaid order gets one reminder mail with its payment link: 1 to 72. Default: none is sent.',
    ),
};

interface Settings {
  readonly REMINDER_HOURS?: number | undefined;
  readonly ORDER_PAYABLE_DAYS: number;
}

export function problemsOf({ REMINDER_HOURS, ORDER_PAYABLE_DAYS }: Settings) {
  if (REMINDER_HOURS === undefined || REMINDER_HOURS < ORDER_PAYABLE_DAYS * 24) return [];
  return [{ name: 'REMINDER_HOURS', message: 'must be shorter than ORDER_PAYABLE_DAYS' } as const];
}

export function toConfig({ REMINDER_HOURS }: Pick<Settings, 'REMINDER_HOURS'>) {
  return {
    /** Delay of the reminder after the placement of an order, in milliseconds. `undefined`: none is sent. */
    reminderMs: REMINDER_HOURS === undefined ? undefined : REMINDER_HOURS * HOUR_MS,
  };
}
