export const shipmentsPaths = {
  packingSlips: '/admin/orders/packing-slips',
  packingSlip: '/admin/orders/:number/packing-slip',
  fulfillment: '/admin/orders/:number/fulfillment',
} as const;
