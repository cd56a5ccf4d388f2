import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

const carriers = {
  estafeta: 'Estafeta',
  dhl: 'DHL',
  fedex: 'FedEx',
  paquetexpress: 'Paquetexpress',
  correos: 'Correos de México',
  other: 'Other',
};

const states = {
  preparing: 'Preparing',
  ready: 'Ready for pickup',
  shipped: 'Shipped',
  delivered: 'Delivered',
  returned: 'Returned',
  picked_up: 'Picked up',
};

export const en: TextsOf<typeof esMx> = {
  csv: 'Fulfillment state',
  cards: {
    toShip: 'To ship',
    toShipHint: 'Paid orders to prepare, ship or hand over.',
    toShipList: 'Show the orders to ship',
    toShipPrint: 'Print their packing slips',
  },
  jobs: { shipped: 'Shipping notice by email', ready: 'Pickup notice by email' },
  details: { carrier: 'Carrier: {{value}}.', trackingNumber: 'Tracking number: {{value}}.' },
  events: { fulfillment_changed: 'Fulfillment changed' },
  admin: {
    title: 'Fulfillment',
    blocked:
      'Do not ship or hand over this order: it is in review, its payment was refunded, or it has a chargeback or an unresolved refund.',
    track: 'Track the parcel',
    toShip: 'To prepare',
    notToShip: 'Do not ship',
    slip: 'Packing slip',
    ship: 'Mark as shipped',
    correct: 'Correct the shipment',
    save: 'Save the correction',
    mail: 'The customer receives an email about the shipment. A correction sends no other.',
    readyMail: 'When it is ready, the customer receives an email with the shop’s address.',
    chooseCarrier: 'Choose a carrier',
    trackingHint: 'Letters, digits and hyphens. It may be empty with “{{other}}”.',
    reason: 'Reason for going back to an earlier state',
    reasonHint: 'The history shows it with your user name. Write no personal data.',
    reasonProblem: 'Enter the reason in one line, with 1 to {{limit}} characters.',
    to: {
      preparing: 'Back to preparing',
      ready: 'Mark as ready for pickup',
      delivered: 'Mark as delivered',
      returned: 'Mark as returned',
      picked_up: 'Mark as picked up',
    },
  },
  slip: {
    title: 'Packing slip {{number}}',
    refunded: 'Partly refunded: before packing, check on the order which pieces are delivered.',
    delivery: 'Delivery',
    address: 'Recipient',
    product: 'Product',
    name: 'Item',
    quantity: 'Quantity',
    back: 'Back',
    sender: 'Sender',
    titleMany: 'Packing slips: {{count}}',
    print: 'Print packing slips',
    printHint: 'Of the selected orders. Without a selection, of all orders to prepare: the 50 oldest.',
    skipped: 'Orders without a packing slip, because there is nothing left to prepare: {{count}}.',
  },
  results: { fulfillment_done: 'The fulfillment was saved.' },
  refusals: {
    fulfillment_not_allowed: 'The order does not allow this change now. Nothing was saved.',
    no_slip: 'This order must not be shipped or handed over now, so it has no packing slip.',
  },
  words: { carrier: carriers, fulfillment_changed: states },
  fields: {
    carrier: { label: 'Carrier', required: 'Choose a carrier.', invalid: 'Choose a carrier from the list.' },
    tracking_number: {
      label: 'Tracking number',
      required: 'Enter the tracking number.',
      invalid: 'Enter the tracking number with letters, digits and hyphens only.',
    },
  },
  shippedMail: {
    subject: 'Your order {{number}} is on its way',
    heading: 'It is on its way, {{name}}!',
    sent: 'We shipped your order {{number}}.',
    sentBy: 'We shipped your order {{number}} with {{carrier}}.',
    trackingNumber: 'Tracking number: {{trackingNumber}}',
    closing: 'Keep this email to track your parcel.',
  },
  readyMail: {
    subject: 'Your order {{number}} is ready for pickup',
    heading: 'It is ready, {{name}}!',
    ready: 'Your order {{number}} is paid and ready for pickup.',
    where: 'Pick it up at {{merchant.address}}.',
    bring: 'Just give your order number.',
    closing: 'To agree on another time, or if another person picks it up, reply to this email.',
  },
  heading: 'Delivery',
  state: 'Status',
  track: 'Track my parcel',
  carriers,
  states,
  headings: {
    preparing: 'Paid. We are preparing your order',
    ready: 'Your order is ready for pickup',
    shipped: 'Your order is on its way',
    delivered: 'Your order was delivered',
    returned: 'Your parcel came back to the shop',
    picked_up: 'Your order was picked up',
  },
  next: {
    returned:
      'If you sent it back, we have received it. If it never reached you, contact us to arrange another delivery.',
    done: 'Thank you for your purchase. If something is not right, contact us.',
  },
};
