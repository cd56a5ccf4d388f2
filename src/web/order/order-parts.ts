import type { DeclineReason, PaymentFlow } from '@tianguis/payments/rules';
import type { OrderLine } from '../../shop/rules/cart.js';
import type { Order } from '../../tables/orders.js';
import type { Section } from '../section.js';
import type { Tone } from '../tone.js';
import type { BoughtAgain } from './bought-again.js';

/** A section of the customer's order page. */
export interface OrderSection extends Section {
  /** What the top of the page of a paid order shows instead of the section. At most one feature has it. */
  readonly lead?: OrderLead;
}

export interface OrderLead {
  readonly heading: string;
  readonly tone: Tone;
  readonly icon: OrderIcon;
  readonly paragraphs: readonly string[];
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly action: { readonly label: string; readonly href: string } | undefined;
}

export type OrderIcon = Tone | 'parcel' | 'truck' | 'bag';
/** Details that are shown only in the session of the customer. */
export interface OwnDetail {
  /** The gateway's open payment page, or the bank's page of a card payment. Absent if it can no longer be used. */
  readonly paymentPage?: { readonly url: string; readonly flow: PaymentFlow } | undefined;
  /** Whether the customer may pay again although an earlier attempt has not ended, after a warning. */
  readonly mayPayAnotherWay: boolean;
  /** The form of the last payment flow. */
  readonly tryAgainPath: string;
  /** The form with the warning that an earlier attempt may still be charged. */
  readonly payAgainPath: string;
  /** Decline reason of the last declined attempt. Absent if it is unknown or must not be shown. */
  readonly declineReason?: DeclineReason;
}

export interface OrderParts {
  readonly own: OwnDetail | undefined;
  readonly lines: readonly OrderLine[];
  /** The page that pays the order from its link. Absent if the order cannot be paid there. */
  readonly payPath?: string | undefined;
  /** The order by which the merchant corrected this one. */
  readonly correction?: Order | undefined;
  readonly boughtAgain: BoughtAgain;
  /** The sections of the features. */
  readonly sections: readonly OrderSection[];
}
