import { factList, type OrderRecord } from '../../admin/order/order-record.js';
import { discountRow } from '../../locales/discount-row.js';
import type { I18n } from '../../locales/i18n.js';
import { orderFacts } from '../../locales/order-facts.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { FEES, isFee } from '../../shop/rules/fees.js';
import { shippingKindOf } from '../../shop/rules/frozen-shipping.js';
import type { FulfillmentState } from '../../shop/rules/fulfillment.js';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import type { RefusedForm } from '../../web/form.js';
import { fieldModels, isRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import type { Tone } from '../../web/tone.js';
import { isBackward, nextStates } from './next-states.js';
import { shipmentOf, trackingLink } from './shipment.js';
import { SHIPMENT_FIELDS, STEP_FIELDS } from './shipment-form.js';

export const FULFILLMENT_TONES = {
  preparing: 'waiting',
  ready: 'waiting',
  shipped: 'good',
  delivered: 'good',
  returned: 'bad',
  picked_up: 'good',
} as const satisfies Record<FulfillmentState, Tone>;

/** Builds the section of the back office's order page, with the allowed changes. */
export function adminFulfillment(
  i18n: I18n,
  { order, refused }: Pick<OrderRecord, 'order' | 'refused'>,
  fulfillment: Fulfillment,
  fulfillable: boolean,
) {
  const { t } = i18n;
  const { state } = fulfillment;
  const shipment = shipmentOf(fulfillment);
  const backFields = fieldModels(t, STEP_FIELDS, refused);
  const next = fulfillable ? nextStates(state, shippingKindOf(order)) : [];
  const steps = next.flatMap((to) => (to === 'shipped' ? [] : [{ to, label: t(`shipments.admin.to.${to}`) }]));
  const facts = {
    carrier: shipment ? t(`shipments.carriers.${shipment.carrier}`) : '',
    tracking_number: shipment?.trackingNumber ?? '',
  };
  return {
    orderHref: adminOrderPath(order),
    state: t(`shipments.states.${state}`),
    tone: fulfillable ? FULFILLMENT_TONES[state] : 'review',
    blocked: !fulfillable,
    facts: factList(facts, (name) => t(`fields.${name}.label`)),
    trackingHref: shipment && trackingLink(shipment),
    version: String(fulfillment.version),
    /** Changes without a shipment, forward and back. A change back needs a reason. */
    steps: steps.filter(({ to }) => !isBackward(state, to)),
    stepsHint: state === 'preparing' && next.includes('ready') ? t('shipments.admin.readyMail') : undefined,
    backSteps: steps.filter(({ to }) => isBackward(state, to)),
    back: { fields: backFields, isOpen: backFields.some(({ value, error }) => value !== '' || error !== undefined) },
    shipment: next.includes('shipped') ? shipmentForm(i18n, fulfillment, refused) : undefined,
  };
}

/** The form for the change to `shipped`, or for its correction. The form of a correction is folded. */
function shipmentForm({ t }: I18n, fulfillment: Fulfillment, refused: RefusedForm | undefined) {
  const { state, carrier, trackingNumber } = fulfillment;
  const { shipment_reason: reason, ...parcel } = SHIPMENT_FIELDS;
  const fields = isBackward(state, 'shipped') ? { ...parcel, shipment_reason: reason } : parcel;
  return {
    label: t(state === 'shipped' ? 'shipments.admin.save' : 'shipments.admin.ship'),
    correction: state === 'preparing' ? undefined : t('shipments.admin.correct'),
    isOpen: isRefused(refused, fields),
    fields: fieldModels(t, fields, refused, { carrier: carrier ?? '', tracking_number: trackingNumber ?? '' }),
  };
}

/** Builds the packing slip of an order: recipient, products, and that it has a discount or a partial refund. Without prices. */
export function packingSlip(
  i18n: I18n,
  order: Order,
  { lines, isRefunded }: { readonly lines: readonly OrderLine[]; readonly isRefunded: boolean },
) {
  const { t } = i18n;
  const { name, address, shipping, others } = orderFacts(i18n, order, 'packing');
  return {
    number: order.number,
    placedAt: order.createdAt,
    delivery: shipping.lines.join(),
    address: [...name.lines, ...address.lines],
    facts: others,
    lines: lines.filter(({ productId }) => !isFee(productId) || FEES[productId].isPacked),
    refund: isRefunded ? t('shipments.slip.refunded') : undefined,
    discount: discountRow(i18n, order.discountCode, lines)?.label,
  };
}
