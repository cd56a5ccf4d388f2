/** The fulfillment of a paid order: states, allowed changes, carriers and tracking links. Pure. */
import { passesLuhn } from './card-data.js';
import type { FieldProblem } from './form-field.js';
import type { AttemptState, OrderState, ReviewReason } from './order.js';
import { isInFlight, type RefundFacts } from './refund.js';
import { needsAddress, type ShippingOptionId } from './shipping.js';

/**
 * In the order in which an order passes them. `returned`: the parcel came back to the shop. `picked_up`: the customer collected
 * the order.
 */
export const FULFILLMENT_STATES = ['preparing', 'shipped', 'delivered', 'returned', 'picked_up'] as const;
export type FulfillmentState = (typeof FULFILLMENT_STATES)[number];

/** How an order reaches its customer. `none`: nothing is shipped, such as a download. */
export type Delivery = 'shipping' | 'pickup' | 'none';

export function deliveryOf({ shippingOption }: { readonly shippingOption: ShippingOptionId }): Delivery {
  return needsAddress(shippingOption) ? 'shipping' : shippingOption;
}

/** The allowed changes, with corrections. `shipped` to `shipped` corrects the carrier or the tracking number. */
const CHANGES: Readonly<Record<Delivery, Readonly<Partial<Record<FulfillmentState, readonly FulfillmentState[]>>>>> = {
  shipping: {
    preparing: ['shipped', 'picked_up'],
    shipped: ['shipped', 'delivered', 'returned', 'preparing'],
    delivered: ['shipped', 'returned'],
    returned: ['shipped', 'preparing'],
    picked_up: ['preparing'],
  },
  pickup: { preparing: ['picked_up'], picked_up: ['preparing'] },
  none: { preparing: ['delivered'], delivered: ['preparing'] },
};

export function nextStates(state: FulfillmentState, delivery: Delivery): readonly FulfillmentState[] {
  return CHANGES[delivery][state] ?? [];
}

/** Returns whether the change is a step back, which needs a reason: the customer may have a mail about the later state. */
export function isBackward(from: FulfillmentState, to: FulfillmentState): boolean {
  return FULFILLMENT_STATES.indexOf(to) < FULFILLMENT_STATES.indexOf(from);
}

/** In characters. */
export const FULFILLMENT_REASON_LIMIT = 200;

/**
 * Returns whether the order may be fulfilled: it is paid, needs no review, and its payment was not refunded. A refund in
 * flight or a chargeback of that payment also prevents it. A refund of a part does not.
 */
export function isFulfillable(
  order: { readonly state: OrderState; readonly reviewReason: ReviewReason | null },
  payingAttempt: { readonly id: string; readonly state: AttemptState } | undefined,
  refunds: readonly Omit<RefundFacts, 'amount'>[],
): boolean {
  const isPaid = order.state === 'paid' && order.reviewReason === null && payingAttempt?.state === 'paid';
  const own = refunds.filter(({ attemptId }) => attemptId === payingAttempt?.id);
  return isPaid && !own.some(({ kind, state }) => isInFlight(state) || kind === 'chargeback');
}

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

/** Returns the carrier's tracking page of a parcel, or `undefined` if there is none. */
export function trackingLink({ carrier, trackingNumber }: Shipment): string | undefined {
  if (!TRACKING_NUMBER.test(trackingNumber)) return undefined;
  return TRACKING_LINKS[carrier]?.(encodeURIComponent(trackingNumber));
}

export const TRACKING_NUMBER_LIMIT = 40;
const TRACKING_NUMBER = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

export type ShipmentField = 'carrier' | 'tracking_number';
/** Parses the posted shipment and returns it, or one problem per invalid field. Removes spaces in the tracking number. */
export function readShipment(
  typed: Readonly<Record<ShipmentField, string>>,
):
  | { readonly ok: true; readonly shipment: Shipment }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ShipmentField, FieldProblem>>> } {
  const carrier = CARRIERS.find((name) => name === typed.carrier);
  const trackingNumber = typed.tracking_number.replace(/\p{Zs}/gu, '');
  const problem = trackingProblem(trackingNumber, carrier);
  if (carrier && !problem) return { ok: true, shipment: { carrier, trackingNumber } };
  const carrierProblem = typed.carrier === '' ? 'required' : 'invalid';
  return {
    ok: false,
    problems: { ...(!carrier && { carrier: carrierProblem }), ...(problem && { tracking_number: problem }) },
  };
}

function trackingProblem(number: string, carrier: Carrier | undefined): FieldProblem | undefined {
  if (number === '') return carrier === 'other' ? undefined : 'required';
  if (number.length > TRACKING_NUMBER_LIMIT) return 'tooLong';
  if (!TRACKING_NUMBER.test(number)) return 'invalid';
  const digits = number.replaceAll('-', '');
  return CARD_NUMBER.test(digits) && passesLuhn(digits) ? 'cardData' : undefined;
}

/**
 * Lengths and prefixes of card brands, for the complete number. `holdsCardNumber` would refuse nearly every tracking
 * number of 22 digits, because a part of it has a valid check digit.
 */
const CARD_NUMBER = /^(?:4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|35\d{14}|6\d{15,18})$/;
