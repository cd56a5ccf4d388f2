import { wholeNumber } from '@tianguis/payments/settings';

const DAY_MS = 24 * 60 * 60_000;
/** A payment that starts on the last day is offered for up to a day, and watched for 8 more. */
const LATE_PAYMENT_DAYS = 9;

export const SETTINGS = {
  PII_RETENTION_DAYS: wholeNumber(30, 36_500)
    .optional()
    .describe(
      'Retention of the personal data of customers in orders without an open payment, refund or review, in days: 30 or more, and ORDER_PAYABLE_DAYS + 9 or more. It does not wait for the delivery. Default: unlimited.',
    ),
};

interface Settings {
  readonly PII_RETENTION_DAYS?: number | undefined;
  readonly ORDER_PAYABLE_DAYS: number;
}

export function problemsOf({ PII_RETENTION_DAYS, ORDER_PAYABLE_DAYS }: Settings) {
  if (PII_RETENTION_DAYS === undefined || PII_RETENTION_DAYS >= ORDER_PAYABLE_DAYS + LATE_PAYMENT_DAYS) return [];
  const message = `must be at least ${LATE_PAYMENT_DAYS} days longer than ORDER_PAYABLE_DAYS`;
  return [{ name: 'PII_RETENTION_DAYS', message } as const];
}

export function toConfig({ PII_RETENTION_DAYS }: Pick<Settings, 'PII_RETENTION_DAYS'>) {
  return {
    /** Retention of personal data of orders, in milliseconds. `undefined`: unlimited. */
    piiRetentionMs: PII_RETENTION_DAYS === undefined ? undefined : PII_RETENTION_DAYS * DAY_MS,
  };
}
