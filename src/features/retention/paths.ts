export const retentionPaths = {
  eraseCustomer: '/admin/orders/:number/erase',
} as const;
