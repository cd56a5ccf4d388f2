export const refundsPaths = {
  refundForm: '/admin/orders/:number/refund',
  refunds: '/admin/orders/:number/refunds',
  refund: '/admin/orders/:number/refunds/:id',
} as const;
