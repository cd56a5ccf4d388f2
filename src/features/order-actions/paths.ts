export const orderActionsPaths = {
  resendReceipt: '/admin/orders/:number/receipt',
  cancelOrder: '/admin/orders/:number/cancel',
} as const;
