/** Carriers, tracking numbers and their links. Pure. */

import { passesLuhn } from '@tianguis/payments/rules';
import type { FulfillmentsTable } from '../../tables/schema.js';

/** Builds the tracking link from an encoded tracking number, per carrier. A carrier without a link has `undefined`. */
const TRACKING_LINKS = {
  // Type 1 is the tracking code of 10 digits, type 0 the longer number of the label.
  estafeta: (code) =>
    `https://cs.estafeta.com/es/Tracking/searchByGet?wayBillType=${code.length === 10 ? 1 : 0}&wayBill=${code}`,
  dhl: (code) => `https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=${code}`,
  fedex: (code) => `https://www.fedex.com/fedextrack/?trknbr=${code}`,
  paquetexpress: (code) => `https://www.paquetexpress.com.mx/rastreo/${code}`,
  // The page has a form and reads no parameter.
  correos: () => 'https://www.correosdemexico.gob.mx/SSLServicios/SeguimientoEnvio/Seguimiento.aspx',
  other: undefined,
} as const satisfies Readonly<Record<string, ((code: string) => string) | undefined>>;

export type Carrier = keyof typeof TRACKING_LINKS;
export const CARRIERS = Object.keys(TRACKING_LINKS) as readonly Carrier[];

export interface Shipment {
  readonly carrier: Carrier;
  /** Empty only with the carrier `other`. */
  readonly trackingNumber: string;
}

/** Returns the parcel of a fulfillment, or `undefined` before it is shipped. A carrier that is not listed any more is `other`. */
export function shipmentOf({
  carrier,
  trackingNumber,
}: Pick<FulfillmentsTable, 'carrier' | 'trackingNumber'>): Shipment | undefined {
  if (carrier === null) return undefined;
  return { carrier: CARRIERS.find((name) => name === carrier) ?? 'other', trackingNumber: trackingNumber ?? '' };
}

/** Returns the carrier's tracking page of a parcel, or `undefined` if there is none. */
export function trackingLink({ carrier, trackingNumber }: Shipment): string | undefined {
  if (!TRACKING_NUMBER.test(trackingNumber)) return undefined;
  return TRACKING_LINKS[carrier]?.(encodeURIComponent(trackingNumber));
}

/** In characters. */
export const TRACKING_NUMBER_LIMIT = 40;
const TRACKING_NUMBER = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

/** Reads a typed tracking number without its spaces. Only the carrier `other` may have none. */
export function readTrackingNumber(
  typed: string,
  carrier: string | undefined,
): { readonly value: string } | { readonly problem: 'required' | 'tooLong' | 'invalid' | 'cardData' } {
  const number = typed.replace(/\p{Zs}/gu, '');
  if (number === '') return carrier === 'other' ? { value: '' } : { problem: 'required' };
  if (number.length > TRACKING_NUMBER_LIMIT) return { problem: 'tooLong' };
  if (!TRACKING_NUMBER.test(number)) return { problem: 'invalid' };
  const digits = number.replaceAll('-', '');
  return CARD_NUMBER.test(digits) && passesLuhn(digits) ? { problem: 'cardData' } : { value: number };
}

/**
 * Lengths and prefixes of card brands, for the complete number. `holdsCardNumber` would refuse nearly every tracking
 * number of 22 digits, because a part of it has a valid check digit.
 */
const CARD_NUMBER = /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18})$/;
