import type { Fulfillment } from '../../db/fulfillments.js';
import type { Order } from '../../db/orders.js';
import { trackingLink } from '../../domain/fulfillment.js';
import type { I18n } from '../../locales/i18n.js';

/** Builds the section of the customer's order page. The order link alone shows the state, and no tracking number. */
export function fulfillmentSection(
  { t }: I18n,
  { shippingOption }: Order,
  { state, carrier, trackingNumber }: Fulfillment,
  isOwn: boolean,
) {
  const isPickup = shippingOption === 'pickup' && state === 'preparing';
  const text = t(`fulfillment.what.${state}`) + (isPickup ? ` ${t('shipping.pickup.hint')}` : '');
  const view = { state: t(`fulfillment.states.${state}`), text };
  if (!isOwn || !carrier || !trackingNumber) return view;
  const name = carrier === 'other' ? '' : t(`fulfillment.carriers.${carrier}`);
  const href = trackingLink({ carrier, trackingNumber });
  return { ...view, shipment: { carrier: name, trackingNumber, href } };
}
