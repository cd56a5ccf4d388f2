import type { Fulfillment } from '../../db/fulfillments.js';
import type { Order } from '../../db/orders.js';
import type { I18n } from '../../locales/i18n.js';
import { shipmentOf, trackingLink } from './shipment.js';

/** Builds the section of the customer's order page. The order link alone shows the state, and no tracking number. */
export function fulfillmentSection({ t }: I18n, { shippingOption }: Order, fulfillment: Fulfillment, isOwn: boolean) {
  const { state } = fulfillment;
  const isPickup = shippingOption === 'pickup' && state === 'preparing';
  const text = t(`fulfillment.what.${state}`) + (isPickup ? ` ${t('shipping.pickup.hint')}` : '');
  const view = { state: t(`fulfillment.states.${state}`), text };
  const shipment = isOwn ? shipmentOf(fulfillment) : undefined;
  if (!shipment?.trackingNumber) return view;
  const { carrier, trackingNumber } = shipment;
  const name = carrier === 'other' ? '' : t(`fulfillment.carriers.${carrier}`);
  return { ...view, shipment: { carrier: name, trackingNumber, href: trackingLink(shipment) } };
}
