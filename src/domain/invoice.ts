/** The customer's data for an invoice (CFDI 4.0): fields, validation and deadline. Pure. The shop issues no invoice. */
import {
  EMAIL_LIMIT,
  type FieldProblem,
  type FieldResult,
  readEmail,
  readPostalCode,
  textUpTo,
} from './contact.js';
import { isFulfillable } from './fulfillment.js';
import { dayOf, startOfDay } from './mexico-day.js';
import { CFDI_USE_CODES, TAX_REGIME_CODES, TAX_REGIMES } from './sat-catalogs.js';

/** The fields of the invoice form, in order: column of `invoice_requests`, limit as typed, and parser of the posted value. */
export const INVOICE_FIELDS = {
  rfc: { column: 'rfc', maxLength: 20, read: readRfc },
  registered_name: { column: 'name', maxLength: 300, read: readName },
  tax_regime: { column: 'taxRegime', maxLength: 3, read: oneOf(TAX_REGIME_CODES) },
  cfdi_use: { column: 'cfdiUse', maxLength: 4, read: oneOf(CFDI_USE_CODES) },
  postal_code: { column: 'postalCode', maxLength: 5, read: readPostalCode },
  email: { column: 'email', maxLength: EMAIL_LIMIT, read: readEmail },
} as const satisfies Readonly<
  Record<string, { readonly column: string; readonly maxLength: number; read(raw: unknown): FieldResult }>
>;

export type InvoiceFieldName = keyof typeof INVOICE_FIELDS;
export const INVOICE_FIELD_NAMES = Object.keys(INVOICE_FIELDS) as readonly InvoiceFieldName[];

/** The stored data of a receiver. */
export type InvoiceData = Record<(typeof INVOICE_FIELDS)[InvoiceFieldName]['column'], string>;

/**
 * `publicRfc`: the RFC stands for the public in general or for customers abroad. `otherKind`: the regime belongs to the other
 * kind of receiver. `otherRegime`: the SAT does not accept the use with this regime.
 */
export type InvoiceProblem = FieldProblem | 'publicRfc' | 'otherKind' | 'otherRegime';
export type InvoiceProblems = Readonly<Partial<Record<InvoiceFieldName, InvoiceProblem>>>;

export type InvoiceDataResult =
  | { readonly ok: true; readonly data: InvoiceData }
  | { readonly ok: false; readonly problems: InvoiceProblems };

/** Parses the posted fields and returns the data, or one problem per invalid field. */
export function readInvoiceData(fields: Readonly<Record<string, unknown>>): InvoiceDataResult {
  const problems: Partial<Record<InvoiceFieldName, InvoiceProblem>> = {};
  const entries = INVOICE_FIELD_NAMES.map((name) => {
    const result = INVOICE_FIELDS[name].read(fields[name]);
    if ('problem' in result) problems[name] = result.problem;
    return [INVOICE_FIELDS[name].column, 'value' in result ? result.value : ''];
  });
  const data = Object.fromEntries(entries) as InvoiceData;
  const code = TAX_REGIME_CODES.find((each) => each === data.taxRegime);
  const regime = code && TAX_REGIMES[code];
  const receiver = data.rfc.length === 12 ? 'company' : 'person';
  if (GENERIC_RFCS.includes(data.rfc)) problems.rfc = 'publicRfc';
  else if (regime && data.rfc !== '' && regime.of !== 'both' && regime.of !== receiver)
    problems.tax_regime = 'otherKind';
  if (regime && !regime.spends && !['', 'S01'].includes(data.cfdiUse)) problems.cfdi_use = 'otherRegime';
  return Object.keys(problems).length === 0 ? { ok: true, data } : { ok: false, problems };
}

/** The SAT's RFCs for the public in general and for customers without an RFC. They name no receiver. */
const GENERIC_RFCS: readonly string[] = ['XAXX010101000', 'XEXX010101000'];
/** 3 letters of a company or 4 of a person, the date of foundation or birth, and 3 characters of the SAT. */
const RFC = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[A\d]$/;

/** Accepts spaces, hyphens and lower case. The check digit is not verified: some valid RFCs have another one. */
function readRfc(raw: unknown): FieldResult {
  const text = textUpTo(INVOICE_FIELDS.rfc.maxLength)(raw);
  if ('problem' in text) return text;
  const value = text.value.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  const [, year, month, day] = RFC.exec(value) ?? [];
  return isDayOfYear(Number(year), Number(month), Number(day)) ? { value } : { problem: 'invalid' };
}

/** The century is unknown, and 2000 was a leap year. */
function isDayOfYear(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000 + year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Registered names are upper case. The SAT refuses `|`. */
function readName(raw: unknown): FieldResult {
  const text = textUpTo(INVOICE_FIELDS.registered_name.maxLength)(raw);
  if ('problem' in text) return text;
  return text.value.includes('|') ? { problem: 'invalid' } : { value: text.value.toUpperCase() };
}

function oneOf(codes: readonly string[]): (raw: unknown) => FieldResult {
  return (raw) => {
    if (raw === undefined || raw === '') return { problem: 'required' };
    const value = codes.find((code) => code === raw);
    return value === undefined ? { problem: 'invalid' } : { value };
  };
}

/**
 * Returns the time until which the customer may request or correct the invoice, or `undefined` if that is not possible.
 * `months`: full months after the month of the sale; `undefined`: the shop takes no requests.
 */
export function invoiceDeadline(
  order: Parameters<typeof isFulfillable>[0] & { readonly paidAt: number | null; readonly email: string },
  payment: {
    readonly payingAttempt: Parameters<typeof isFulfillable>[1];
    readonly refunds: Parameters<typeof isFulfillable>[2];
  },
  { months, at }: { readonly months: number | undefined; readonly at: number },
): number | undefined {
  // Retention removed the data of an order without an e-mail address.
  if (months === undefined || order.paidAt === null || order.email === '') return undefined;
  if (!isFulfillable(order, payment.payingAttempt, payment.refunds)) return undefined;
  const end = endOfMonth(order.paidAt, months);
  return at < end ? end : undefined;
}

/** Returns the end of the month in Mexico City that is `months` after the month of a time. */
function endOfMonth(time: number, months: number): number {
  const [year = 0, month = 0] = dayOf(time).split('-').map(Number);
  // Months are counted from 0, so this is the first day of the next month. A month above 11 is in a later year.
  const next = new Date(Date.UTC(year, month + months, 1));
  return startOfDay(next.toISOString().slice(0, 10));
}
