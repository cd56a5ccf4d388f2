import { wholeNumber } from '@tianguis/payments/settings';
import { z } from 'zod';

export const SETTINGS = {
  INVOICE_REQUEST_MONTHS: z
    .union([z.literal('off'), wholeNumber(0, 12)], 'must be off, or a number from 0 to 12')
    .default(1)
    .describe(
      'Deadline for invoice requests (CFDI): the end of this many months after the month of the sale, 0 to 12, and no earlier than the day 72 hours after the confirmation. The time zone is that of Mexico City. off: none are accepted.',
    ),
};

export function toConfig({ INVOICE_REQUEST_MONTHS }: { readonly INVOICE_REQUEST_MONTHS: number | 'off' }) {
  return {
    /** Months after the month of a sale in which the customer may request an invoice. `undefined`: never. */
    invoiceMonths: INVOICE_REQUEST_MONTHS === 'off' ? undefined : INVOICE_REQUEST_MONTHS,
  };
}
