import { NOT_NEEDED } from '@tianguis/payments';
import type { I18n } from '../../locales/i18n.js';
import type { MailLink } from '../../mail/mail-template.js';
import type { Content, SendToCustomer } from '../../mail/mails.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { findFulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import { type Shipment, shipmentOf, trackingLink } from './shipment.js';

/** Returns the mails about an order that is shipped or ready for pickup. */
export function shipmentJobs(sendToCustomer: SendToCustomer): CheckoutContext['jobs'] {
  return {
    // The parcel may be delivered by now.
    async shipped({ db }, order, { key }) {
      const fulfillment = await findFulfillment(db.queries, order.id);
      const shipment = fulfillment?.state === 'shipped' ? shipmentOf(fulfillment) : undefined;
      if (order.email === '' || !shipment) return NOT_NEEDED;
      return sendToCustomer(order, key, (i18n, link) => shippedMail(order, shipment, link, i18n));
    },
    // The customer may have collected it by now, or it went back into preparation.
    async ready({ db }, order, { key }) {
      const fulfillment = await findFulfillment(db.queries, order.id);
      if (order.email === '' || fulfillment?.state !== 'ready') return NOT_NEEDED;
      return sendToCustomer(order, key, (i18n) => readyMail(order, i18n));
    },
  };
}

/** With the carrier's tracking link if there is one. */
function shippedMail({ number, firstName }: Order, shipment: Shipment, link: MailLink, { t }: I18n): Content {
  const { carrier, trackingNumber } = shipment;
  const tracking = trackingLink(shipment);
  const sent =
    carrier === 'other'
      ? t('shipments.shippedMail.sent', { number })
      : t('shipments.shippedMail.sentBy', { number, carrier: t(`shipments.carriers.${carrier}`) });
  return {
    subject: t('shipments.shippedMail.subject', { number }),
    preview: sent,
    heading: t('shipments.shippedMail.heading', { name: firstName }),
    paragraphs: [
      sent,
      ...(trackingNumber === '' ? [] : [t('shipments.shippedMail.trackingNumber', { trackingNumber })]),
    ],
    ...(tracking && { link: { label: t('shipments.track'), href: tracking }, secondLink: link }),
    closing: t('shipments.shippedMail.closing'),
  };
}

function readyMail({ number, firstName }: Order, { t }: I18n): Content {
  const ready = t('shipments.readyMail.ready', { number });
  return {
    subject: t('shipments.readyMail.subject', { number }),
    preview: ready,
    heading: t('shipments.readyMail.heading', { name: firstName }),
    paragraphs: [ready, t('shipments.readyMail.where'), t('shipments.readyMail.bring')],
    closing: t('shipments.readyMail.closing'),
  };
}
