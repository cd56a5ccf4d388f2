export const paidOutsidePaths = {
  record: '/admin/orders/:number/paid-outside',
  reverse: '/admin/orders/:number/reversal',
} as const;
