import { promisedTime } from '../../locales/frozen-shipping.js';
import type { I18n } from '../../locales/i18n.js';
import { shippingKindOf } from '../../shop/rules/frozen-shipping.js';
import type { FulfillmentState } from '../../shop/rules/fulfillment.js';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import type { OrderIcon, OrderLead, OrderSection } from '../../web/order/order-parts.js';
import { shipmentOf, trackingLink } from './shipment.js';

const ICONS = {
  preparing: 'parcel',
  ready: 'bag',
  shipped: 'truck',
  delivered: 'good',
  returned: 'parcel',
  picked_up: 'good',
} as const satisfies Record<FulfillmentState, OrderIcon>;

/** Builds the fulfillment on the customer's order page. It has no personal data: every holder of the link sees it. */
export function fulfillmentSection({ t }: I18n, order: Order, fulfillment: Fulfillment): OrderSection {
  const { state } = fulfillment;
  const shipment = shipmentOf(fulfillment);
  const { carrier = 'other', trackingNumber = '' } = shipment ?? {};
  const href = shipment && trackingLink(shipment);
  const facts = [
    { label: t('shipments.state'), value: t(`shipments.states.${state}`) },
    ...(carrier === 'other' ? [] : [{ label: t('fields.carrier.label'), value: t(`shipments.carriers.${carrier}`) }]),
    ...(trackingNumber === '' ? [] : [{ label: t('fields.tracking_number.label'), value: trackingNumber }]),
  ];
  const action = href === undefined ? undefined : { label: t('shipments.track'), href };
  const lead: OrderLead = {
    heading: t(`shipments.headings.${state}`),
    tone: state === 'returned' ? 'review' : 'good',
    icon: ICONS[state],
    paragraphs: paragraphsOf(t, state, order),
    facts,
    action,
  };
  return { view: '/shipments/views/fulfillment', model: { facts, action }, lead };
}

function paragraphsOf(t: I18n['t'], state: FulfillmentState, order: Order): readonly string[] {
  const time = promisedTime({ t }, order);
  switch (state) {
    case 'preparing':
      return [
        t('states.paid.what'),
        ...(order.email === '' ? [] : [t('states.paid.money')]),
        t('states.paid.again'),
        ...(shippingKindOf(order) === 'pickup' ? [t('shipping.pickup.hint')] : []),
        ...(time === undefined ? [] : [time]),
      ];
    case 'ready':
      return [t('shipments.readyMail.where'), t('shipments.readyMail.bring')];
    case 'shipped':
      return [];
    case 'returned':
      return [t('shipments.next.returned')];
    case 'delivered':
    case 'picked_up':
      return [t('shipments.next.done')];
  }
}
