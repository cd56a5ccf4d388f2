/** The customer's data for an invoice (CFDI 4.0): fields, validation and deadline. Pure. The shop issues no invoice. */

import { CONTACT_FIELDS, isErased } from '../../shop/rules/contact.js';
import { type FormField, parseText, readFields } from '../../shop/rules/form-field.js';
import { addDays, dayOf, isDay, startOfDay } from '../../shop/rules/mexico-day.js';
import { CFDI_USES, TAX_REGIMES } from './sat-catalogs.js';

/** The fields of the invoice form, in order. They are columns of `invoice_requests`. */
export const INVOICE_FIELDS = {
  rfc: { column: 'rfc', maxLength: 20, parse: parseRfc },
  // Registered names are upper case. The SAT refuses `|`.
  registered_name: {
    column: 'name',
    maxLength: 300,
    parse: (text) => (text.includes('|') ? undefined : parseText(text)?.toUpperCase()),
  },
  tax_regime: { column: 'taxRegime', parse: (code) => (Object.hasOwn(TAX_REGIMES, code) ? code : undefined) },
  cfdi_use: { column: 'cfdiUse', parse: (code) => (Object.hasOwn(CFDI_USES, code) ? code : undefined) },
  postal_code: { ...CONTACT_FIELDS.postal_code, autocomplete: 'off' },
  email: CONTACT_FIELDS.email,
} as const satisfies Readonly<Record<string, FormField>>;

export type InvoiceFieldName = keyof typeof INVOICE_FIELDS;
export const INVOICE_FIELD_NAMES = Object.keys(INVOICE_FIELDS) as readonly InvoiceFieldName[];

/** The stored data of a receiver. */
export type InvoiceData = Record<(typeof INVOICE_FIELDS)[InvoiceFieldName]['column'], string>;

/** Parses the posted fields and returns the data, or one problem per invalid field. */
export function readInvoiceData(fields: Readonly<Record<string, unknown>>) {
  const { values, problems } = readFields(INVOICE_FIELDS, fields, INVOICE_FIELD_NAMES);
  const { rfc = '', taxRegime = '', cfdiUse = '' } = values;
  const regime = TAX_REGIMES[taxRegime];
  const otherReceiver = rfc.length === 12 ? 'person' : 'company';
  if (GENERIC_RFCS.includes(rfc)) problems.rfc = 'publicRfc';
  else if (rfc !== '' && regime?.of === otherReceiver) problems.tax_regime = 'otherKind';
  if (regime && !regime.spends && !['', 'S01'].includes(cfdiUse)) problems.cfdi_use = 'otherRegime';
  if (Object.keys(problems).length > 0) return { ok: false as const, problems };
  return { ok: true as const, data: values as InvoiceData };
}

/** The SAT's RFCs for the public in general and for customers without an RFC. They name no receiver. */
const GENERIC_RFCS = ['XAXX010101000', 'XEXX010101000'];
/** 3 letters (company) or 4 (person), the date of foundation or birth, and 3 characters of the SAT. */
const RFC = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[A\d]$/;

/** Accepts spaces, hyphens and lower case. The check digit is not verified: some valid RFCs have another one. */
function parseRfc(text: string): string | undefined {
  const rfc = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  const [, year, month, day] = RFC.exec(rfc) ?? [];
  // The century is unknown, and 2000 was a leap year.
  return isDay(`20${year}-${month}-${day}`) ? rfc : undefined;
}

/** A payment may be confirmed days after it was made. The customer has this time at least. */
const MIN_REQUEST_MS = 72 * 3_600_000;

/**
 * Returns the time until which the customer may request or correct the invoice, or `undefined` if that is not possible.
 * `months`: full months after the month of the sale; `undefined`: the shop takes no requests. The last day is not before
 * the day 72 hours after the confirmation.
 */
export function invoiceDeadline(
  order: { readonly paidAt: number | null; readonly confirmedAt: number | null; readonly firstName: string },
  months: number | undefined,
  at: number,
): number | undefined {
  if (months === undefined || order.paidAt === null || isErased(order)) return undefined;
  const lastDay = dayOf((order.confirmedAt ?? order.paidAt) + MIN_REQUEST_MS);
  const end = Math.max(endOfMonth(order.paidAt, months), startOfDay(addDays(lastDay, 1)));
  return at < end ? end : undefined;
}

/** Returns the end of the month in Mexico City that is `months` after the month of a time. */
function endOfMonth(time: number, months: number): number {
  const [year = 0, month = 0] = dayOf(time).split('-').map(Number);
  // Months are counted from 0, so this is the first day of the next month. A month above 11 is in a later year.
  const next = new Date(Date.UTC(year, month + months, 1));
  return startOfDay(next.toISOString().slice(0, 10));
}
