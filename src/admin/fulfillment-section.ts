import type { Attempt } from '../db/attempts.js';
import type { Fulfillment } from '../db/fulfillments.js';
import type { Order } from '../db/orders.js';
import type { Refund } from '../db/refunds.js';
import {
  CARRIERS,
  deliveryOf,
  type FulfillmentState,
  isFulfillable,
  nextStates,
  type ShipmentField,
  type ShipmentResult,
  trackingLink,
} from '../domain/fulfillment.js';
import { problemText } from '../web/pages/contact-fields.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { OrderTone } from '../web/view-models.js';
import type { AdminFulfillment } from './admin-view-models.js';
import { adminOrderPath } from './order-rows.js';

const TONES = {
  preparing: 'waiting',
  shipped: 'good',
  delivered: 'good',
  returned: 'bad',
  picked_up: 'good',
} as const satisfies Record<FulfillmentState, OrderTone>;

/** A refused shipment form: the posted fields and their problems. */
export interface RefusedShipment {
  readonly typed: Readonly<Record<ShipmentField, string>>;
  readonly problems: Extract<ShipmentResult, { ok: false }>['problems'];
}

interface FulfillmentRecord {
  readonly order: Order;
  readonly fulfillment: Fulfillment;
  readonly payingAttempt: Attempt | undefined;
  readonly refunds: readonly Refund[];
  readonly refused?: RefusedShipment;
}

/** Builds the fulfillment section of the order page, with the allowed changes. */
export function fulfillmentSection(i18n: I18n, record: FulfillmentRecord): AdminFulfillment {
  const { t } = i18n;
  const { order, fulfillment, payingAttempt, refunds, refused } = record;
  const { state, carrier } = fulfillment;
  const trackingNumber = fulfillment.trackingNumber ?? '';
  const fulfillable = isFulfillable(order, payingAttempt, refunds);
  const next = fulfillable ? nextStates(state, deliveryOf(order)) : [];
  const href = carrier && trackingLink({ carrier, trackingNumber });
  return {
    state: t(`fulfillment.states.${state}`),
    tone: fulfillable ? TONES[state] : 'review',
    blocked: !fulfillable,
    facts: [
      ...(carrier ? [{ label: t('fields.carrier.label'), value: t(`fulfillment.carriers.${carrier}`) }] : []),
      ...(trackingNumber ? [{ label: t('fields.tracking_number.label'), value: trackingNumber }] : []),
    ],
    ...(href && { trackingHref: href }),
    version: String(fulfillment.version),
    steps: next.flatMap((to) => (to === 'shipped' ? [] : [{ to, label: t(`admin.fulfillment.to.${to}`) }])),
    ...(next.includes('shipped') && {
      shipment: shipmentForm(i18n, fulfillment, refused),
    }),
    slipHref: `${adminOrderPath(order)}/packing-slip`,
  };
}

/** A refused card number is not shown again. */
function shipmentForm(
  i18n: I18n,
  { state, carrier, trackingNumber }: Fulfillment,
  refused: RefusedShipment | undefined,
): AdminFulfillment['shipment'] {
  const { t } = i18n;
  const problems = refused?.problems ?? {};
  const typed = refused?.typed ?? { carrier: carrier ?? '', tracking_number: trackingNumber ?? '' };
  const field = (name: ShipmentField) => {
    const problem = problems[name];
    return {
      value: problem === 'cardData' ? '' : typed[name],
      ...(problem && { error: problemText(i18n, name, problem) }),
    };
  };
  return {
    label: t(state === 'shipped' ? 'admin.fulfillment.save' : 'admin.fulfillment.ship'),
    ...(state !== 'preparing' && { correction: t('admin.fulfillment.correct') }),
    carrier: field('carrier'),
    carriers: CARRIERS.map((value) => ({
      value,
      label: t(`fulfillment.carriers.${value}`),
      selected: typed.carrier === value,
    })),
    trackingNumber: field('tracking_number'),
    trackingHint: t('admin.fulfillment.trackingHint', { other: t('fulfillment.carriers.other') }),
  };
}
