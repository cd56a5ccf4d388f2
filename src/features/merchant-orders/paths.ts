export const merchantOrdersPaths = {
  newOrder: '/admin/orders/new',
  paymentLink: '/admin/orders/:number/link',
} as const;
